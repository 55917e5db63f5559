import JWTKit

/// Who vouches for a test.
struct HealthAuthority: Sendable {
    /// As its tokens say it in `iss`.
    var issuer: String
    /// As its tokens say it in `kid`, when it has several keys.
    var keyID: String?
    var key: ES256PublicKey
}
