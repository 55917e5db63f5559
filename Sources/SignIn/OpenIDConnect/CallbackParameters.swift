import OperatorText

/// Parameters with which the browser comes back from the provider (RFC 6749, section 4.1.2).
package struct CallbackParameters: Equatable, Sendable {
    package var state: String
    package var outcome: Outcome

    package enum Outcome: Equatable, Sendable {
        /// The sign-in succeeded; the token endpoint gives the ID token for the code.
        case code(String)
        /// The provider refused. Code and description are safe to show.
        case refused(code: String, description: String?)
    }

    private static let longestState = 256
    private static let longestCode = 4096
    private static let longestError = 256

    /// Reads the parameters.
    ///
    /// - Parameter query: decoded fields of the query.
    package init(query: [String: String], provider: ProviderMetadata) throws(SignInError) {
        guard let state = query["state"], Self.isText(state, upTo: Self.longestState) else {
            throw .callback(
                found: "has no usable state", allowed: "must have one of 1 to \(Self.longestState) bytes of ASCII")
        }
        // Another provider's answer must not be taken for this one's (RFC 9207).
        if let issuer = query["iss"] {
            guard issuer == provider.issuer else {
                throw .callback(
                    found: "has iss \(issuer.excerpt)", allowed: "must have the configured issuer, or none")
            }
        } else if provider.namesIssuer {
            throw .callback(found: "has no iss", allowed: "must have it, because the discovery document promises it")
        }
        self.state = state
        switch (query["code"], query["error"]) {
        case (let code?, nil):
            guard Self.isText(code, upTo: Self.longestCode) else {
                throw .callback(
                    found: "has an unusable code", allowed: "must be 1 to \(Self.longestCode) bytes of ASCII")
            }
            outcome = .code(code)
        case (nil, let error?):
            guard error.utf8.count <= Self.longestError else {
                throw .callback(
                    found: "has a long error", allowed: "must be a code of at most \(Self.longestError) bytes")
            }
            outcome = .refused(
                code: SignInError.code(error), description: SignInError.description(query["error_description"]))
        default:
            throw .callback(found: "has both or neither of code and error", allowed: "must have one of them")
        }
    }

    /// Whether a text is printable ASCII of a length.
    private static func isText(_ text: String, upTo longest: Int) -> Bool {
        (1...longest).contains(text.utf8.count) && text.utf8.allSatisfy { (0x20...0x7E).contains($0) }
    }
}
