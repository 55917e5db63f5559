import Testing

@testable import SignIn

@Suite("Discovery documents") struct ProviderMetadataTests {
    private func refusal(_ changes: [String: String?]) -> String {
        do throws(SignInError) {
            _ = try ProviderMetadata(TestProvider.document(changes), issuer: TestProvider.issuer)
            return ""
        } catch {
            return error.what
        }
    }

    @Test func `A document of the least length is taken, with the defaults`() throws {
        let metadata = try TestProvider.metadata()
        #expect(metadata.authorizationEndpoint.text == "\(TestProvider.issuer)/auth")
        #expect(metadata.tokenEndpoint.text == "\(TestProvider.issuer)/token")
        #expect(metadata.keySetEndpoint.text == "\(TestProvider.issuer)/keys")
        #expect(metadata.endSessionURL(clientID: "c", page: "https://p.example/") == nil)
        #expect(metadata.authentication == .basic)
        #expect(!metadata.namesIssuer)
    }

    @Test func `What the provider offers is chosen from`() throws {
        let metadata = try TestProvider.metadata([
            "end_session_endpoint": #""https://login.campus.example/end?x=1""#,
            "response_types_supported": #"["code","code id_token"]"#,
            "code_challenge_methods_supported": #"["plain","S256"]"#,
            "token_endpoint_auth_methods_supported": #"["private_key_jwt","client_secret_post"]"#,
            "id_token_signing_alg_values_supported": #"["HS256","RS256"]"#,
            "authorization_response_iss_parameter_supported": "true",
        ])
        #expect(metadata.authentication == .post)
        #expect(metadata.namesIssuer)
        let url = metadata.endSessionURL(clientID: "c", page: "https://p.example/")
        let fields = "client_id=c&post_logout_redirect_uri=https%3A%2F%2Fp.example%2F"
        #expect(url == "https://login.campus.example/end?x=1&\(fields)")
    }

    @Test(arguments: [
        "https://login.campus.example/realms/campus/", "https://LOGIN.campus.example/realms/campus",
        "https://else.example", "",
    ])
    func `A document of another issuer is refused`(issuer: String) {
        #expect(refusal(["issuer": "\"\(issuer)\""]).contains("must have the configured issuer"))
    }

    @Test(arguments: ["authorization_endpoint", "token_endpoint", "jwks_uri"])
    func `A document without an endpoint is refused`(member: String) {
        #expect(refusal([member: nil]).contains("has no \(member)"))
    }

    @Test(
        arguments: ["authorization_endpoint", "token_endpoint", "jwks_uri", "end_session_endpoint"],
        ["http://login.campus.example/x", "https://user@login.campus.example/x", "https://login.campus.example/x#y"])
    func `An endpoint that is not safe is refused`(member: String, address: String) {
        #expect(refusal([member: "\"\(address)\""]).contains("has \(member)"))
    }

    @Test(arguments: [
        ("response_types_supported", #"["token","code token"]"#), ("code_challenge_methods_supported", #"["plain"]"#),
        ("token_endpoint_auth_methods_supported", #"["none","private_key_jwt"]"#),
        ("id_token_signing_alg_values_supported", #"["none","HS256"]"#), ("response_types_supported", "[]"),
    ])
    func `A provider without what is needed is refused`(member: String, value: String) {
        #expect(refusal([member: value]).contains("must have one of"))
    }

    @Test(arguments: [("issuer", "1"), ("jwks_uri", "[]"), ("response_types_supported", #""code""#)])
    func `A member of another type is refused`(member: String, value: String) {
        #expect(refusal([member: value]).contains("not JSON of the expected form"))
    }

    @Test func `The document is below the issuer`() {
        let url = "https://login.campus.example/realms/campus/.well-known/openid-configuration"
        #expect(ProviderMetadata.discoveryURL(of: TestProvider.issuer) == url)
        #expect(ProviderMetadata.discoveryURL(of: TestProvider.issuer + "/") == url)
    }
}
