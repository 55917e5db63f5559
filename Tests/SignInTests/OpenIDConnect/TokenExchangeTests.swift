import Testing

@testable import SignIn

@Suite("Exchange of the code for the ID token") struct TokenExchangeTests {
    private func made(_ changes: [String: String?] = [:]) throws -> TokenRequest {
        var client = TestProvider.client
        (client.clientID, client.clientSecret) = ("beacon matcher:1", "a/b+c")
        return TokenRequest(code: "c&d", verifier: "v", provider: try TestProvider.metadata(changes), client: client)
    }

    private let form =
        "grant_type=authorization_code&code=c%26d"
        + "&redirect_uri=https%3A%2F%2Fbeacons.campus.example%2Fsign-in%2Fcallback&code_verifier=v"

    @Test func `The client proves itself in the header`() throws {
        let request = try made()
        #expect(request.url == "\(TestProvider.issuer)/token")
        #expect(String(decoding: request.body, as: UTF8.self) == form)
        // beacon%20matcher%3A1:a%2Fb%2Bc
        let credential = "Basic YmVhY29uJTIwbWF0Y2hlciUzQTE6YSUyRmIlMkJj"
        #expect(request.headers.last == TokenRequest.Header(name: "Authorization", value: credential))
        #expect(request.headers.map(\.name) == ["Accept", "Content-Type", "Authorization"])
        #expect(!"\(request)".contains("Basic"))
    }

    @Test func `The client proves itself in the form where the provider asks for it`() throws {
        let request = try made(["token_endpoint_auth_methods_supported": #"["client_secret_post"]"#])
        let expected = form + "&client_id=beacon%20matcher%3A1&client_secret=a%2Fb%2Bc"
        #expect(String(decoding: request.body, as: UTF8.self) == expected)
        #expect(request.headers.map(\.name) == ["Accept", "Content-Type"])
    }

    private func refusal(_ status: Int, _ body: String) -> SignInError? {
        do throws(SignInError) {
            _ = try TokenResponse(status: status, body: Array(body.utf8))
            return nil
        } catch {
            return error
        }
    }

    @Test(arguments: ["Bearer", "bearer", "BEARER"])
    func `The answer has the ID token`(type: String) throws {
        let body = #"{"access_token":"a","token_type":"\#(type)","expires_in":300,"id_token":"h.p.s"}"#
        #expect(try TokenResponse(status: 200, body: Array(body.utf8)).idToken == "h.p.s")
    }

    @Test func `A refusal is told with its code`() {
        let body = #"{"error":"invalid_grant","error_description":"used\u0007 twice"}"#
        let expected = SignInError.tokenRefused(status: 400, code: "invalid_grant", description: "used? twice")
        #expect(refusal(400, body) == expected)
        #expect(expected.what.contains("400: invalid_grant (used? twice)"))
    }

    @Test func `A token with another status, or beside an error, is refused`() {
        let token = #""token_type":"Bearer","id_token":"h.p.s""#
        #expect(refusal(500, "{\(token)}") == .tokenRefused(status: 500, code: "unknown_error", description: nil))
        #expect(
            refusal(200, #"{\#(token),"error":"e"}"#) == .tokenRefused(status: 200, code: "e", description: nil))
    }

    @Test(arguments: [
        #"{"token_type":"Bearer"}"#, #"{"token_type":"Bearer","id_token":""}"#, #"{"id_token":"h.p.s"}"#,
        #"{"token_type":"DPoP","id_token":"h.p.s"}"#, #"{"token_type":"Bearer","id_token":1}"#, "[]", "",
        "<html>Bad gateway</html>",
    ])
    func `Other answers are refused`(body: String) {
        guard case .tokenResponse? = refusal(200, body) else {
            Issue.record("\(body)")
            return
        }
    }

    @Test func `Each failure of a sign-in has a sentence and a remedy for the person`() {
        let errors: [SignInError] = [
            .metadata(found: "is x", allowed: "must be y"), .keySet(found: "is x", allowed: "must be y"),
            .callback(found: "is x", allowed: "must be y"), .refused(code: "access_denied", description: "no"),
            .otherBrowser, .late, .tokenRefused(status: 400, code: "e", description: nil),
            .tokenResponse(found: "is x", allowed: "must be y"), .token(.nonce),
        ]
        for error in errors {
            #expect(error.sentence.hasSuffix("."))
            #expect(error.remedy.hasSuffix("."))
            #expect(!error.what.isEmpty)
        }
    }
}
