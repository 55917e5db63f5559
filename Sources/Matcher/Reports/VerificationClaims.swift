import FoundationEssentials
import JWTKit

/// What a health authority's token says.
struct VerificationClaims: JWTPayload, Sendable {
    var issuer: String
    var audience: Audience
    var issuedAt: IssuedAtClaim
    var expires: ExpirationClaim
    var notBefore: NotBeforeClaim?
    /// By which a token is known; each counts once.
    var id: String
    /// `KIND:ID` of whom it is for.
    var subject: String?
    /// `KIND:ID` of what else is theirs: the badge beside the phone.
    var names: [String]?
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
        case names
        case testDate = "test_date"
        case onset
    }

    /// One text, or several (RFC 7519, section 4.1.3). JWTKit's own ends the process at an empty list.
    struct Audience: Codable, Sendable {
        var names: [String]

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if let name = try? container.decode(String.self) {
                names = [name]
            } else {
                names = try container.decode([String].self)
            }
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            try container.encode(names)
        }
    }

    static let mostNames = 16

    /// All whom it is for.
    var subjects: Set<String> { Set([subject].compactMap(\.self) + (names ?? [])) }

    /// Times are compared with the time of the request, by `ReportVerifier`.
    func verify(using algorithm: some JWTAlgorithm) {}
}
