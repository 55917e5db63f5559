import OperatorText

/// Answer of the token endpoint (OpenID Connect Core 1.0, section 3.1.3.3).
package struct TokenResponse: Sendable {
    /// The ID token, not yet verified.
    package let idToken: String

    /// Reads an answer.
    ///
    /// - Parameters:
    ///   - status: status of the HTTP response.
    ///   - body: its content, whose length the caller has limited.
    package init(status: Int, body: [UInt8]) throws(SignInError) {
        guard let answer = ProviderJSON.decode(Answer.self, from: body) else {
            throw .tokenResponse(
                found: "has status \(status) and is not JSON of the expected form", allowed: "must be an object")
        }
        guard status == 200, answer.error == nil else {
            throw .tokenRefused(
                status: status, code: SignInError.code(answer.error ?? ""),
                description: SignInError.description(answer.description))
        }
        guard let type = answer.type, type.lowercased() == "bearer" else {
            throw .tokenResponse(
                found: answer.type.map { "has token_type \($0.excerpt)" } ?? "has no token_type",
                allowed: "must be Bearer")
        }
        guard let idToken = answer.idToken, !idToken.isEmpty else {
            throw .tokenResponse(
                found: "has no id_token", allowed: "must have one; allow the client the scope openid at the provider")
        }
        self.idToken = idToken
    }

    private struct Answer: Decodable {
        var idToken: String?
        var type: String?
        var error: String?
        var description: String?

        enum CodingKeys: String, CodingKey {
            case idToken = "id_token"
            case type = "token_type"
            case error
            case description = "error_description"
        }
    }
}
