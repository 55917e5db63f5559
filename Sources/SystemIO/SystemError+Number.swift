package import BeaconModel
import Glibc

extension SystemError {
    /// An error with the system's words for its number.
    package init(_ operation: String, errorNumber: Int32) {
        self.init(operation, errorNumber: errorNumber, reason: Self.text(errorNumber))
    }

    package var isNotFound: Bool { errorNumber == ENOENT }
    /// Whether the file system, or this user's share of it, is full.
    package var isOutOfSpace: Bool { errorNumber == ENOSPC || errorNumber == EDQUOT }

    /// The system's own words for an error number, and the number.
    package static func text(_ errorNumber: Int32) -> String {
        // Where links aren't followed, the system says of one that there are too many.
        if errorNumber == ELOOP { return "it is a symbolic link, or leads through too many (errno \(errorNumber))" }
        // glibc's strerror has a buffer per thread (since 2.32).
        return String(cString: strerror(errorNumber)) + " (errno \(errorNumber))"
    }
}
