package import JWTKit

/// Claims of a health authority's token.
package struct VerificationClaims: JWTPayload, Sendable {
    package var issuer: String
    package var audience: Audience
    var issuedAt: IssuedAtClaim
    package var expires: ExpirationClaim
    var notBefore: NotBeforeClaim?
    /// Identifier of the token; each token counts once.
    package var id: String
    /// Subject that the token is for, `KIND:ID`.
    package var subject: String?
    /// Other subjects of the same person, `KIND:ID`: the badge beside the phone.
    package var names: [String]?
    /// Day of the test, `YYYY-MM-DD`.
    package var testDate: String?
    package var onset: String?

    package enum CodingKeys: String, CodingKey {
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
    package struct Audience: Codable, Sendable {
        package var names: [String]

        init(_ name: String) { names = [name] }

        package init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if let name = try? container.decode(String.self) {
                names = [name]
            } else {
                names = try container.decode([String].self)
            }
        }

        package func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            try container.encode(names)
        }
    }

    package static let mostNames = 16

    /// All subjects that the token is for.
    package var subjects: Set<String> { Set([subject].compactMap(\.self) + (names ?? [])) }

    /// Does nothing: `ReportVerifier` compares times with the time of the request.
    package func verify(using algorithm: some JWTAlgorithm) {}
}
