package import BeaconModel
import Glibc

extension SystemError {
    /// Creates an error with the system's description of its number.
    package init(_ operation: String, errorNumber: Int32) {
        self.init(operation, errorNumber: errorNumber, reason: Self.text(errorNumber))
    }

    package var isNotFound: Bool { errorNumber == ENOENT }
    /// Whether the file system, or this user's share of it, is full.
    package var isOutOfSpace: Bool { errorNumber == ENOSPC || errorNumber == EDQUOT }

    /// Returns the system's description of an error number, with the number.
    package static func text(_ errorNumber: Int32) -> String {
        // When links are not followed, the system reports a link as too many levels of links.
        if errorNumber == ELOOP {
            return "it is a symbolic link, or its path has too many of them (errno \(errorNumber))"
        }
        // glibc's strerror uses a buffer per thread (since 2.32).
        return String(cString: strerror(errorNumber)) + " (errno \(errorNumber))"
    }
}
