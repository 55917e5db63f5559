import JWTKit

/// Health authority that confirms tests.
struct HealthAuthority: Sendable {
    /// Issuer, as in `iss` of its tokens.
    var issuer: String
    /// Identifier of the key, as in `kid` of its tokens, if it has several keys.
    var keyID: String?
    var key: ES256PublicKey
}
