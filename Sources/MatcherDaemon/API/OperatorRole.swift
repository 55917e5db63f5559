import MatcherCore

/// The role of an operator, which decides what the operator sees of people.
enum OperatorRole: String, CaseIterable, Sendable {
    /// Sees how many people are where, and attendance without names.
    case `operator`
    /// Sees who is where as well, and names.
    case officer

    /// Whether names of people are shown, with who corrected their attendance and why.
    var seesNames: Bool { self == .officer }

    /// The reader in the table of access to live positions.
    var reader: LiveReader {
        switch self {
        case .operator: .operator
        case .officer: .officer
        }
    }
}
