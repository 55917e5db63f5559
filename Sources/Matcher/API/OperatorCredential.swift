/// Whom the configuration lets see attendance and occupancy, and by which token.
struct OperatorCredential: Equatable, Sendable {
    var name: String
    var token: [UInt8]

    /// The name of whoever has a token. All are compared, in time that doesn't depend on where they differ.
    static func name(of token: String?, among operators: [OperatorCredential]) -> String? {
        guard let token else { return nil }
        let given = Array(token.utf8)
        return operators.reduce(nil) { found, one in SubjectSecrets.isEqual(given, one.token) ? one.name : found }
    }
}

/// Without the token.
extension OperatorCredential: CustomStringConvertible, CustomDebugStringConvertible {
    var description: String { "operator \(name)" }
    var debugDescription: String { description }
}
