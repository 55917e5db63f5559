/// A system call that failed.
public struct SystemError: OperatorError, Equatable {
    /// What was attempted, and on what: `open /dev/ttyUSB0`.
    public var operation: String
    /// The system's number for the reason, `errno`.
    public var errorNumber: Int32
    /// The reason in words, with its number.
    public var reason: String

    public init(_ operation: String, errorNumber: Int32, reason: String) {
        self.operation = operation
        self.errorNumber = errorNumber
        self.reason = reason
    }

    public var what: String { "can't \(operation): \(reason)" }
    public var exitStatus: ExitStatus { .inputOutput }
}
