import FoundationEssentials
import JWTKit

/// Claims of a health authority's token.
struct VerificationClaims: JWTPayload, Sendable {
    var issuer: String
    var audience: Audience
    var issuedAt: IssuedAtClaim
    var expires: ExpirationClaim
    var notBefore: NotBeforeClaim?
    /// Identifier of the token; each token counts once.
    var id: String
    /// Subject that the token is for, `KIND:ID`.
    var subject: String?
    /// Other subjects of the same person, `KIND:ID`: the badge beside the phone.
    var names: [String]?
    /// Day of the test, `YYYY-MM-DD`.
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

    /// One audience, or several (RFC 7519, section 4.1.3). JWTKit's own type ends the process at an empty list.
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

    /// All subjects that the token is for.
    var subjects: Set<String> { Set([subject].compactMap(\.self) + (names ?? [])) }

    /// Does nothing: `ReportVerifier` compares times with the time of the request.
    func verify(using algorithm: some JWTAlgorithm) {}
}
