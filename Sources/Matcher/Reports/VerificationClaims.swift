import FoundationEssentials
import JWTKit

/// What a health authority's token says.
struct VerificationClaims: JWTPayload, Sendable {
    var issuer: String
    var audience: AudienceClaim
    var issuedAt: IssuedAtClaim
    var expires: ExpirationClaim
    var notBefore: NotBeforeClaim?
    /// By which a token is known; each counts once.
    var id: String
    /// `KIND:ID`, when it is for one subject only.
    var subject: String?
    /// `YYYY-MM-DD`.
    var testDate: String?
    var onset: String?

    enum CodingKeys: String, CodingKey {
        case issuer = "iss"
        case audience = "aud"
        case issuedAt = "iat"
        case expires = "exp"
        case notBefore = "nbf"
        case id = "jti"
        case subject = "sub"
        case testDate = "test_date"
        case onset
    }

    /// Times are compared with the time of the request, by `ReportVerifier`.
    func verify(using algorithm: some JWTAlgorithm) {}
}
