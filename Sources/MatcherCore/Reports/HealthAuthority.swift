package import JWTKit

/// Health authority that confirms tests.
package struct HealthAuthority: Sendable {
    /// Issuer, as in `iss` of its tokens.
    package var issuer: String
    /// Identifier of the key, as in `kid` of its tokens, if it has several keys.
    package var keyID: String?
    package var key: ES256PublicKey

    package init(issuer: String, keyID: String? = nil, key: ES256PublicKey) {
        self.issuer = issuer
        self.keyID = keyID
        self.key = key
    }
}
