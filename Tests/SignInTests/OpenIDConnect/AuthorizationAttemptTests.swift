import Testing

@testable import SignIn

@Suite("Sign-ins in progress") struct AuthorizationAttemptTests {
    private let now = TestProvider.now

    @Test func `Each sign-in has secrets of its own`() {
        let attempts = (0..<100).map { _ in AuthorizationAttempt(returnPath: "/", now: now) }
        let secrets = attempts.flatMap { [$0.state, $0.nonce, $0.verifier, $0.binding] }
        #expect(Set(secrets).count == 400)
        #expect(secrets.allSatisfy { Base64URLText.decode($0)?.count == 32 })
    }

    // RFC 7636, appendix B.
    @Test func `The challenge is the hash of the verifier`() {
        var attempt = AuthorizationAttempt(returnPath: "/", now: now)
        attempt.verifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"
        #expect(attempt.challenge == "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM")
    }

    @Test func `The address has the parameters after those that it had before`() throws {
        let attempt = AuthorizationAttempt(
            state: "s", nonce: "n", verifier: "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk", binding: "b",
            returnPath: "/me", started: now)
        var client = TestProvider.client
        client.clientID = "a&b=c d"
        client.scopes = ["profile", "openid", "groups"]
        let metadata = try TestProvider.metadata(["authorization_endpoint": #""https://l.example/auth?tenant=1""#])
        let expected = [
            "https://l.example/auth?tenant=1", "response_type=code", "client_id=a%26b%3Dc%20d",
            "redirect_uri=https%3A%2F%2Fbeacons.campus.example%2Fsign-in%2Fcallback", "scope=openid%20profile%20groups",
            "state=s", "nonce=n", "code_challenge=E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM",
            "code_challenge_method=S256",
        ]
        #expect(attempt.authorizationURL(metadata, client: client) == expected.joined(separator: "&"))
        let plain = try TestProvider.metadata()
        #expect(
            attempt.authorizationURL(plain, client: client).hasPrefix("\(TestProvider.issuer)/auth?response_type=code&")
        )
    }

    @Test func `An answer counts for ten minutes, in the browser that asked`() throws {
        let attempt = AuthorizationAttempt(returnPath: "/", now: now)
        #expect(refusal(attempt) == nil)
        #expect(refusal(attempt, now: now + 600) == nil)
        #expect(refusal(attempt, now: now + 601) == .late)
        // Of two matchers, the clock of one may be ahead.
        #expect(refusal(attempt, now: now - 60) == nil)
        #expect(refusal(attempt, now: now - 61) == .late)
        let other = AuthorizationAttempt(returnPath: "/", now: now)
        #expect(refusal(attempt, binding: other.binding) == .otherBrowser)
        #expect(refusal(attempt, state: other.state) == .otherBrowser)
        #expect(throws: SignInError.otherBrowser) { try attempt.check(state: attempt.state, binding: nil, now: now) }
    }

    @Test func `Sign-ins of one browser share the cookie, and no other secret`() {
        let first = AuthorizationAttempt(returnPath: "/", now: now)
        let second = AuthorizationAttempt(returnPath: "/", now: now, binding: first.binding)
        #expect(second.binding == first.binding && refusal(first, binding: second.binding) == nil)
        #expect(second.state != first.state && second.nonce != first.nonce && second.verifier != first.verifier)
    }

    @Test(
        arguments: [
            nil, "", "b", String(repeating: "A", count: 42) + " ", String(repeating: "A", count: 44),
        ] as [String?])
    func `A cookie that is none of a sign-in is not shared`(cookie: String?) {
        let attempt = AuthorizationAttempt(returnPath: "/", now: now, binding: cookie)
        #expect(attempt.binding != cookie && AuthorizationAttempt.isBinding(attempt.binding))
    }

    @Test func `Descriptions have no secret`() {
        let attempt = AuthorizationAttempt(returnPath: "/", now: now)
        #expect(!"\(attempt)".contains(attempt.binding) && !String(reflecting: attempt).contains(attempt.verifier))
        #expect(!"\(TestProvider.client)".contains("secret of the client"))
    }

    private func refusal(
        _ attempt: AuthorizationAttempt, state: String? = nil, binding: String? = nil, now: Int64? = nil
    ) -> SignInError? {
        do throws(SignInError) {
            try attempt.check(
                state: state ?? attempt.state, binding: binding ?? attempt.binding, now: now ?? self.now)
            return nil
        } catch {
            return error
        }
    }
}
