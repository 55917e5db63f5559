/// An error that requires action by the operator: what happened, what it means, what to do.
public protocol OperatorError: Error, CustomStringConvertible {
    /// Problem and location (file, key, line, byte), in one sentence without a full stop.
    var what: String { get }
    /// Consequence of the problem.
    var meaning: String? { get }
    /// Action that the operator can take.
    var remedy: String? { get }
    /// Exit status of a command that fails with this error.
    var exitStatus: ExitStatus { get }
}

extension OperatorError {
    public var meaning: String? { nil }
    public var remedy: String? { nil }

    public var description: String {
        [what, meaning.map { "  it means: \($0)" }, remedy.map { "  what to do: \($0)" }]
            .compactMap { $0 }.joined(separator: "\n")
    }
}

extension Error {
    /// Description of the problem for output with room for one line.
    public var inOneLine: String { (self as? any OperatorError)?.what ?? "\(self)" }
}

/// Exit statuses of sysexits.h.
public enum ExitStatus: Int32, Sendable {
    /// The answer to the question is no; no error occurred.
    case negative = 1
    /// The command line is wrong.
    case usage = 64
    /// Input data is wrong or damaged.
    case data = 65
    /// Something that is needed is missing or does not answer.
    case unavailable = 69
    /// Reading or writing failed.
    case inputOutput = 74
    /// The privileges do not suffice.
    case permission = 77
    /// The configuration is wrong.
    case configuration = 78
}
