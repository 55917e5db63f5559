import Crypto

/// Sign-in in progress: what the provider and the browser must bring back.
///
/// The store keeps it until the browser returns, and each attempt is taken once.
package struct AuthorizationAttempt: Equatable, Sendable {
    /// Value that comes back in the address of the callback.
    package var state: String
    /// Value that comes back in the ID token.
    package var nonce: String
    /// Secret that proves to the token endpoint who started the sign-in (PKCE, RFC 7636).
    package var verifier: String
    /// Secret in a cookie of its own, so that an answer counts only in the browser that asked.
    package var binding: String
    /// Path of this page to which the browser returns.
    package var returnPath: String
    /// Start in seconds since 1970.
    package var started: Int64

    /// Maximum duration in seconds.
    package static let lifetime: Int64 = 600

    /// Tolerance for the clock of another matcher of the same store, in seconds.
    private static let tolerance: Int64 = 60

    /// Starts a sign-in with fresh secrets.
    ///
    /// - Parameters:
    ///   - now: seconds since 1970.
    ///   - binding: the cookie that the browser has of another sign-in, which this one shares. Another text than a
    ///     binding counts as none.
    package init(returnPath: String, now: Int64, binding: String? = nil) {
        self.init(
            state: Self.secret(), nonce: Self.secret(), verifier: Self.secret(),
            binding: binding.flatMap { Self.isBinding($0) ? $0 : nil } ?? Self.secret(), returnPath: returnPath,
            started: now)
    }

    package init(
        state: String, nonce: String, verifier: String, binding: String, returnPath: String, started: Int64
    ) {
        self.state = state
        self.nonce = nonce
        self.verifier = verifier
        self.binding = binding
        self.returnPath = returnPath
        self.started = started
    }

    /// Returns the address to which the browser is sent.
    package func authorizationURL(_ provider: ProviderMetadata, client: ClientSettings) -> String {
        provider.authorizationEndpoint.adding([
            ("response_type", "code"), ("client_id", client.clientID), ("redirect_uri", client.redirectURI),
            ("scope", client.scope), ("state", state), ("nonce", nonce), ("code_challenge", challenge),
            ("code_challenge_method", "S256"),
        ])
    }

    /// Checks that an answer belongs to this attempt.
    ///
    /// - Parameters:
    ///   - state: `state` of the callback.
    ///   - binding: the cookie of the browser, if it has one.
    ///   - now: seconds since 1970.
    package func check(state: String, binding: String?, now: Int64) throws(SignInError) {
        guard let binding, SecretText.isEqual(binding, self.binding), SecretText.isEqual(state, self.state) else {
            throw .otherBrowser
        }
        // A start in the far future is of a clock that was set back.
        guard (started - Self.tolerance...started + Self.lifetime).contains(now) else { throw .late }
    }

    /// Whether a text from outside has the form of a binding.
    package static func isBinding(_ text: String) -> Bool { SessionToken(text) != nil }

    /// Hash of the verifier, which the provider keeps until the token is asked for.
    var challenge: String { Base64URLText.encode(Array(SHA256.hash(data: Array(verifier.utf8)))) }

    private static func secret() -> String {
        Base64URLText.encode(SymmetricKey(size: .bits256).withUnsafeBytes(Array.init))
    }
}

/// Descriptions without the secrets.
extension AuthorizationAttempt: CustomStringConvertible, CustomDebugStringConvertible {
    package var description: String { "sign-in of \(started)" }
    package var debugDescription: String { description }
}
