import Crypto
import Testing

@testable import SignIn

@Suite("Forged ID tokens") struct ForgedTokenTests {
    private let provider = TestProvider()

    @Test(arguments: ["none", "None", "NONE", "HS256", "ES384", "RS512", "PS256", ""])
    func `Other algorithms are refused`(algorithm: String) throws {
        let token = try provider.token(TestProvider.claims(), header: #"{"alg":"\#(algorithm)","kid":"ec"}"#)
        #expect(try provider.refusal(token) == .algorithm(algorithm))
    }

    @Test func `An unsigned token is refused whatever its header says`() throws {
        let claims = TestProvider.encode(Array(TestProvider.claims().utf8))
        for header in [#"{"alg":"none"}"#, #"{"alg":"ES256","kid":"ec"}"#, #"{"alg":"none","alg":"ES256","kid":"ec"}"#]
        {
            let token = "\(TestProvider.encode(Array(header.utf8))).\(claims)."
            #expect(try provider.refusal(token) != nil, "\(header)")
        }
    }

    @Test func `A public key is not taken for a shared secret`() throws {
        let secret = SymmetricKey(data: Array(provider.ecdsa.publicKey.pemRepresentation.utf8))
        for (header, expected) in [
            (#"{"alg":"HS256","kid":"ec"}"#, IDTokenError.algorithm("HS256")),
            (#"{"alg":"ES256","kid":"ec"}"#, IDTokenError.badSignature),
        ] {
            let input = [header, TestProvider.claims()].map { TestProvider.encode(Array($0.utf8)) }.joined(
                separator: ".")
            let code = HMAC<SHA256>.authenticationCode(for: Array(input.utf8), using: secret)
            #expect(try provider.refusal("\(input).\(TestProvider.encode(Array(code)))") == expected)
        }
    }

    @Test func `A token that is signed with another key is refused`() throws {
        let token = try TestProvider().token(TestProvider.claims())
        #expect(try provider.refusal(token) == .badSignature)
    }

    @Test func `A token that names an unknown key is refused`() throws {
        let token = try provider.token(TestProvider.claims(), header: #"{"alg":"ES256","kid":"another"}"#)
        #expect(try provider.refusal(token) == .unknownKey("another"))
    }

    @Test func `A key is used with no algorithm but its own`() throws {
        let token = try provider.token(TestProvider.claims(), header: #"{"alg":"RS256","kid":"ec"}"#)
        #expect(try provider.refusal(token) == .unknownKey("ec"))
    }

    @Test func `A key in the header is not used`() throws {
        let forger = TestProvider()
        let key = try forger.members()[0]
        let token = try forger.token(TestProvider.claims(), header: #"{"alg":"ES256","kid":"ec","jwk":\#(key)}"#)
        #expect(try provider.refusal(token) == .badSignature)
    }

    @Test(arguments: [#""crit":["exp"]"#, #""crit":[]"#, #""crit":null"#, #""b64":false"#])
    func `Extensions that must be understood are refused`(member: String) throws {
        let token = try provider.token(TestProvider.claims(), header: #"{"alg":"ES256","kid":"ec",\#(member)}"#)
        #expect(try provider.refusal(token) == .critical)
    }

    @Test(arguments: [
        "", "[]", "{}", #"{"alg":1}"#, #"{"alg":"ES256","kid":1e300}"#, #"{"alg":"ES256","kid":9223372036854775808}"#,
    ])
    func `A header of another form is refused`(header: String) throws {
        let token = try provider.token(TestProvider.claims(), header: header)
        #expect(try provider.refusal(token) == .malformed)
    }

    @Test func `Numbers in unknown members of the header do no harm`() throws {
        let header = #"{"alg":"ES256","kid":"ec","x":9223372036854775808,"y":[1e300]}"#
        let token = try provider.token(TestProvider.claims(), header: header)
        #expect(try provider.refusal(token) == nil)
    }

    @Test(arguments: ["", "..", "a.b", "a.b.c.d", "a.b.c.d.e", "!.!.!", "e30=.e30=.e30="])
    func `What is not a signed token is refused`(token: String) throws {
        #expect(try provider.refusal(token) == .malformed)
    }

    @Test func `Claims that were changed after signing are refused`() throws {
        let parts = try provider.token(TestProvider.claims()).split(separator: ".").map(String.init)
        try #require(parts.count == 3)
        let claims = TestProvider.encode(Array(TestProvider.claims(["groups": #"["health-officers"]"#]).utf8))
        #expect(try provider.refusal("\(parts[0]).\(claims).\(parts[2])") == .badSignature)
        #expect(try provider.refusal("\(parts[0]).\(parts[1]).\(parts[2].dropLast(6))") == .badSignature)
    }

    @Test func `A huge token is refused before it is read`() throws {
        let token = try provider.token(TestProvider.claims(["pad": "\"\(String(repeating: "x", count: 65_536))\""]))
        #expect(try provider.refusal(token) == .tooLong)
    }

    @Test func `Each refusal says what was found, without control characters`() {
        let errors: [IDTokenError] = [
            .tooLong, .malformed, .algorithm("\u{1B}[2J"), .critical, .unknownKey("\u{7}"), .unknownKey(nil),
            .badSignature, .claims, .issuer("\n"), .audience, .noAuthorizedParty, .authorizedParty("\n"),
            .missing("exp"), .expired(at: 1), .issuedLater(at: 1), .issuedLongAgo(at: 1), .notYetValid(from: 1),
            .nonce, .subject, .claim("\n", "is wrong"),
        ]
        for error in errors {
            #expect(error.what.hasPrefix("the ID token "))
            #expect(error.what.unicodeScalars.allSatisfy { $0.value >= 0x20 })
            #expect(error.sentence.hasSuffix("."))
        }
        #expect(Set(errors.map(\.what)).count == errors.count)
    }
}
