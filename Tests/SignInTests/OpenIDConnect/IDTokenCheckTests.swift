import Testing

@testable import SignIn

@Suite("Claims of ID tokens") struct IDTokenCheckTests {
    private let provider = TestProvider()
    private let now = TestProvider.now

    @Test(arguments: [
        (SigningAlgorithm.es256, "ec"), (SigningAlgorithm.edDSA, "ed"), (SigningAlgorithm.rs256, "rsa"),
    ])
    func `A token of each allowed algorithm is accepted`(algorithm: SigningAlgorithm, key: String) throws {
        let header = #"{"typ":"JWT","alg":"\#(algorithm.rawValue)","kid":"\#(key)","x5t":"unused"}"#
        let token = try provider.token(TestProvider.claims(), header: header, key: algorithm)
        let claims = try provider.verified(token)
        #expect(claims.subject == "248289761001")
        #expect(claims.issuer == TestProvider.issuer)
    }

    @Test func `A token that does not name its key is accepted if only one fits`() throws {
        let token = try provider.token(TestProvider.claims(), header: #"{"alg":"ES256"}"#)
        #expect(try provider.refusal(token) == nil)
    }

    @Test func `A token of another issuer is refused`() throws {
        let token = try provider.token(TestProvider.claims(["iss": #""https://else.example""#]))
        #expect(try provider.refusal(token) == .issuer("https://else.example"))
    }

    @Test(arguments: [#""another""#, "[]", #"["another"]"#])
    func `A token for other clients is refused`(audience: String) throws {
        let token = try provider.token(TestProvider.claims(["aud": audience]))
        #expect(try provider.refusal(token) == .audience)
    }

    @Test(arguments: [#"["beacon-matcher",1]"#, "1", "null", #"{"beacon-matcher":1}"#])
    func `An audience that is neither a text nor texts is refused`(audience: String) throws {
        let token = try provider.token(TestProvider.claims(["aud": audience]))
        #expect(try provider.refusal(token) == .missing("aud"))
    }

    @Test func `A token for several clients must say for which it was issued`() throws {
        let several = #"["beacon-matcher","another"]"#
        let silent = try provider.token(TestProvider.claims(["aud": several]))
        #expect(try provider.refusal(silent) == .noAuthorizedParty)
        let other = try provider.token(TestProvider.claims(["aud": several, "azp": #""another""#]))
        #expect(try provider.refusal(other) == .authorizedParty("another"))
        let right = try provider.token(TestProvider.claims(["aud": several, "azp": #""beacon-matcher""#]))
        #expect(try provider.refusal(right) == nil)
    }

    @Test func `A token that was issued for another client is refused even if it is for this one`() throws {
        let token = try provider.token(TestProvider.claims(["azp": #""another""#]))
        #expect(try provider.refusal(token) == .authorizedParty("another"))
    }

    @Test func `A token is accepted until a minute after its end`() throws {
        let late = try provider.token(TestProvider.claims(["exp": "\(now - 59)"]))
        #expect(try provider.refusal(late) == nil)
        let tooLate = try provider.token(TestProvider.claims(["exp": "\(now - 60)"]))
        #expect(try provider.refusal(tooLate) == .expired(at: now - 60))
    }

    @Test func `A token of the future is refused`() throws {
        let early = try provider.token(TestProvider.claims(["iat": "\(now + 60)"]))
        #expect(try provider.refusal(early) == nil)
        let tooEarly = try provider.token(TestProvider.claims(["iat": "\(now + 61)"]))
        #expect(try provider.refusal(tooEarly) == .issuedLater(at: now + 61))
    }

    @Test func `A token of long ago is refused even if it has not expired`() throws {
        let old = try provider.token(TestProvider.claims(["iat": "\(now - 660)"]))
        #expect(try provider.refusal(old) == nil)
        let tooOld = try provider.token(TestProvider.claims(["iat": "\(now - 661)"]))
        #expect(try provider.refusal(tooOld) == .issuedLongAgo(at: now - 661))
    }

    @Test func `A token that is not valid yet is refused`() throws {
        let token = try provider.token(TestProvider.claims(["nbf": "\(now + 61)"]))
        #expect(try provider.refusal(token) == .notYetValid(from: now + 61))
    }

    @Test(arguments: ["iss", "aud", "exp", "iat", "nonce", "sub"])
    func `A token without a required claim is refused`(name: String) throws {
        let token = try provider.token(TestProvider.claims([name: nil]))
        #expect(try provider.refusal(token) == .missing(name))
    }

    @Test(
        arguments: ["exp", "iat", "nbf"], ["1e300", "\"1800000000\"", "true", "null", "-1e11", "9223372036854775808"])
    func `An impossible time is refused`(name: String, value: String) throws {
        let token = try provider.token(TestProvider.claims([name: value]))
        #expect(try provider.refusal(token) == .missing(name))
    }

    @Test func `A time with a fraction is accepted`() throws {
        let token = try provider.token(TestProvider.claims(["iat": "\(now - 1).75"]))
        #expect(try provider.refusal(token) == nil)
    }

    @Test(arguments: ["nonce-of-another-sign", "nonce-of-this-sign-i", ""])
    func `A token of another sign-in is refused`(nonce: String) throws {
        let token = try provider.token(TestProvider.claims(["nonce": "\"\(nonce)\""]))
        #expect(try provider.refusal(token) == .nonce)
    }

    @Test(arguments: ["", String(repeating: "x", count: 256), #"a\nb"#, #"a\u0000b"#])
    func `A subject that cannot be kept is refused`(subject: String) throws {
        let token = try provider.token(TestProvider.claims(["sub": "\"\(subject)\""]))
        #expect(try provider.refusal(token) == .subject)
    }

    @Test(arguments: ["[]", "1", "", "{", "\u{0}{}"])
    func `Claims that are no object are refused`(claims: String) throws {
        #expect(try provider.refusal(provider.token(claims)) == .claims)
    }

    @Test func `Deeply nested claims are cut and do no harm`() throws {
        let nested = String(repeating: "[", count: 400) + String(repeating: "]", count: 400)
        let token = try provider.token(TestProvider.claims(["deep": nested]))
        #expect(try provider.refusal(token) == nil)
    }
}
