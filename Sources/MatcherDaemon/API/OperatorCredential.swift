import MatcherCore
import SignIn

/// Operator who can see attendance and occupancy, with the token.
struct OperatorCredential: Equatable, Sendable {
    var name: String
    var token: [UInt8]
    var role = OperatorRole.operator

    /// The account under which the audit has the operator.
    var account: Account {
        Account(issuer: Account.local, subject: "operator \(name)", name: "API, \(name)", roles: [])
    }

    /// Returns the name of the operator with a token. Compares all tokens, in time that does not depend on where they
    /// differ.
    static func name(of token: String?, among operators: [OperatorCredential]) -> String? {
        of(token, among: operators)?.name
    }

    /// Returns the operator with a token; compares as `name(of:among:)`.
    static func of(_ token: String?, among operators: [OperatorCredential]) -> OperatorCredential? {
        guard let token else { return nil }
        let given = Array(token.utf8)
        return operators.reduce(nil) { found, one in SubjectSecrets.isEqual(given, one.token) ? one : found }
    }
}

/// Descriptions without the token.
extension OperatorCredential: CustomStringConvertible, CustomDebugStringConvertible {
    package var description: String { "operator \(name)" }
    package var debugDescription: String { description }
}
