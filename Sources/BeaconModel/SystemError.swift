/// A system call that failed.
public struct SystemError: OperatorError, Equatable {
    /// Attempted operation and its object: `open /dev/ttyUSB0`.
    public var operation: String
    /// System error number, `errno`.
    public var errorNumber: Int32
    /// Description of the error, with its number.
    public var reason: String

    /// Creates an error of an operation with its `errno`.
    public init(_ operation: String, errorNumber: Int32, reason: String) {
        self.operation = operation
        self.errorNumber = errorNumber
        self.reason = reason
    }

    public var what: String { "cannot \(operation): \(reason)" }
    /// Exit status of a command that fails with this error.
    public var exitStatus: ExitStatus { .inputOutput }
}
