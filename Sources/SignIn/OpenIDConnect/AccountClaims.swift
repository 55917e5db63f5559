import OperatorText

/// Claims of a verified ID token about a person.
package struct AccountClaims: Equatable, Sendable {
    /// Name for people; the subject if the token has no name.
    package var name: String
    package var number: String?
    /// Values of the claim with the roles.
    package var roleValues: [String]

    private let issuer: String
    private let subject: String

    private static let mostValues = 1000
    private static let longestName = 200
    private static let longestNumber = 64

    /// Reads the claims whose names are configured.
    package init(_ claims: IDTokenClaims, client: ClientSettings) throws(IDTokenError) {
        issuer = claims.issuer
        subject = claims.subject
        let names = [client.nameClaim, "preferred_username"].compactMap { claims.value($0)?.text }
        name = (names.first { !$0.isEmpty } ?? claims.subject).shown(upTo: Self.longestName)
        number = try Self.number(claims, client.numberClaim)
        roleValues = try Self.roleValues(claims, client.rolesClaim)
    }

    /// Returns the account, with the roles that the rules give it: maybe none.
    package func account(_ rules: [RoleRule]) -> Account {
        let values = Set(roleValues)
        let roles = Set(rules.filter { values.contains($0.value) }.map(\.role))
        return Account(issuer: issuer, subject: subject, name: name, number: number, roles: roles)
    }

    private static func number(_ claims: IDTokenClaims, _ name: String?) throws(IDTokenError) -> String? {
        guard let name, let value = claims.value(name) else { return nil }
        switch value {
        case .text(""), .other: return nil
        case .text(let text):
            guard text.utf8.count <= longestNumber, text.shown(upTo: longestNumber) == text else {
                throw .claim(name, "is not at most \(longestNumber) bytes without control characters")
            }
            return text
        // Beyond 2^53 a number of JSON may be another than the provider wrote.
        case .number(let number) where (0...0x1p53).contains(number) && number == number.rounded():
            return String(Int64(number))
        default: throw .claim(name, "is neither a text nor a whole number")
        }
    }

    private static func roleValues(_ claims: IDTokenClaims, _ name: String) throws(IDTokenError) -> [String] {
        switch claims.value(name) {
        case nil, .other?: return []
        case .text(let value)?: return [value]
        case .list(let values)?:
            guard values.count <= mostValues else { throw .claim(name, "has more than \(mostValues) values") }
            let texts = values.compactMap(\.text)
            guard texts.count == values.count else { throw .claim(name, "has values that are no texts") }
            return texts
        default: throw .claim(name, "is neither a text nor an array of texts")
        }
    }
}
