/// Algorithm of an ID token's signature. Others, and unsigned tokens, are refused.
package enum SigningAlgorithm: String, CaseIterable, Sendable {
    case es256 = "ES256"
    case rs256 = "RS256"
    case edDSA = "EdDSA"

    static let list = allCases.map(\.rawValue).joined(separator: ", ")
}
