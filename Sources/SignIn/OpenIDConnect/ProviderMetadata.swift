import OperatorText

/// Metadata of an identity provider (OpenID Connect Discovery 1.0, section 3).
package struct ProviderMetadata: Equatable, Sendable {
    package let issuer: String
    package let authorizationEndpoint: Endpoint
    package let tokenEndpoint: Endpoint
    /// Address of the key set.
    package let keySetEndpoint: Endpoint
    /// Address at which browsers sign out of the provider too.
    package let endSessionEndpoint: Endpoint?
    package let authentication: ClientAuthentication
    /// Whether each answer by way of the browser names the issuer (RFC 9207, section 3).
    package let namesIssuer: Bool

    /// Method by which the client authenticates at the token endpoint.
    package enum ClientAuthentication: String, CaseIterable, Sendable {
        case basic = "client_secret_basic"
        case post = "client_secret_post"
    }

    /// Returns the address of an issuer's discovery document.
    package static func discoveryURL(of issuer: String) -> String {
        (issuer.hasSuffix("/") ? String(issuer.dropLast()) : issuer) + "/.well-known/openid-configuration"
    }

    /// Reads a discovery document.
    ///
    /// - Parameters:
    ///   - bytes: the document, whose length the caller has limited.
    ///   - issuer: the configured issuer.
    package init(_ bytes: [UInt8], issuer: String) throws(SignInError) {
        guard let document = ProviderJSON.decode(Document.self, from: bytes) else {
            throw .metadata(
                found: "is not JSON of the expected form", allowed: "must be one of OpenID Connect Discovery 1.0")
        }
        // Otherwise another provider's tokens would be taken for this one's (mix-up).
        guard document.issuer == issuer else {
            throw .metadata(
                found: "has issuer \(document.issuer.excerpt)",
                allowed: "must have the configured issuer, character by character: \(issuer.excerpt)")
        }
        self.issuer = issuer
        authorizationEndpoint = try Self.endpoint("authorization_endpoint", document.authorizationEndpoint)
        tokenEndpoint = try Self.endpoint("token_endpoint", document.tokenEndpoint)
        keySetEndpoint = try Self.endpoint("jwks_uri", document.keySetEndpoint)
        if let address = document.endSessionEndpoint {
            endSessionEndpoint = try Self.endpoint("end_session_endpoint", address)
        } else {
            endSessionEndpoint = nil
        }
        namesIssuer = document.namesIssuer ?? false
        try Self.require(["code"], in: document.responseTypes, "response_types_supported")
        try Self.require(["S256"], in: document.challengeMethods, "code_challenge_methods_supported")
        try Self.require(
            SigningAlgorithm.allCases.map(\.rawValue), in: document.algorithms, "id_token_signing_alg_values_supported")
        try Self.require(
            ClientAuthentication.allCases.map(\.rawValue), in: document.authentications,
            "token_endpoint_auth_methods_supported")
        // Providers that do not say take the header (OpenID Connect Discovery 1.0, section 3).
        let usesHeader = document.authentications?.contains(ClientAuthentication.basic.rawValue) ?? true
        authentication = usesHeader ? .basic : .post
    }

    /// Returns the address that ends the session at the provider, from which the browser comes back to `page`.
    ///
    /// OpenID Connect RP-Initiated Logout 1.0, section 2, recommends `id_token_hint`, and allows `client_id` in its
    /// place. ID tokens are not kept: they are personal data, and without one the provider only asks the person to
    /// confirm, who has just chosen to sign out there too.
    package func endSessionURL(clientID: String, page: String) -> String? {
        endSessionEndpoint?.adding([("client_id", clientID), ("post_logout_redirect_uri", page)])
    }

    private static func endpoint(_ member: String, _ text: String?) throws(SignInError) -> Endpoint {
        guard let text else { throw .metadata(found: "has no \(member)", allowed: "must have it") }
        guard let endpoint = Endpoint(text) else {
            throw .metadata(found: "has \(member) \(text.excerpt)", allowed: "must be \(Endpoint.form)")
        }
        return endpoint
    }

    /// Throws if a list is given that has none of the values.
    private static func require(
        _ values: [String], in list: [String]?, _ member: String
    ) throws(SignInError) {
        guard let list, !list.contains(where: { values.contains($0) }) else { return }
        throw .metadata(
            found: "has \(member) \(list.prefix(10).joined(separator: " ").excerpt)",
            allowed: "must have one of \(values.joined(separator: ", "))")
    }

    private struct Document: Decodable {
        var issuer: String
        var authorizationEndpoint: String?
        var tokenEndpoint: String?
        var keySetEndpoint: String?
        var endSessionEndpoint: String?
        var responseTypes: [String]?
        var challengeMethods: [String]?
        var authentications: [String]?
        var algorithms: [String]?
        var namesIssuer: Bool?

        enum CodingKeys: String, CodingKey {
            case issuer
            case authorizationEndpoint = "authorization_endpoint"
            case tokenEndpoint = "token_endpoint"
            case keySetEndpoint = "jwks_uri"
            case endSessionEndpoint = "end_session_endpoint"
            case responseTypes = "response_types_supported"
            case challengeMethods = "code_challenge_methods_supported"
            case authentications = "token_endpoint_auth_methods_supported"
            case algorithms = "id_token_signing_alg_values_supported"
            case namesIssuer = "authorization_response_iss_parameter_supported"
        }
    }
}
