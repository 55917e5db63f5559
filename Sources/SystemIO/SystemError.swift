public import BeaconModel
import Glibc

/// A system call that failed.
public struct SystemError: OperatorError, Equatable {
    /// What was attempted, and on what: `open /dev/ttyUSB0`.
    public var operation: String
    public var errorNumber: Int32

    public init(_ operation: String, errorNumber: Int32) {
        self.operation = operation
        self.errorNumber = errorNumber
    }

    public var isNotFound: Bool { errorNumber == ENOENT }
    /// Whether the file system, or this user's share of it, is full.
    public var isOutOfSpace: Bool { errorNumber == ENOSPC || errorNumber == EDQUOT }

    public var what: String { "can't \(operation): \(SystemError.text(errorNumber))" }
    public var exitStatus: ExitStatus { .inputOutput }

    /// The system's own words for an error number, and the number.
    public static func text(_ errorNumber: Int32) -> String {
        // Where links aren't followed, the system says of one that there are too many.
        if errorNumber == ELOOP { return "it is a symbolic link, or leads through too many (errno \(errorNumber))" }
        // glibc's strerror has a buffer per thread (since 2.32).
        return String(cString: strerror(errorNumber)) + " (errno \(errorNumber))"
    }
}
