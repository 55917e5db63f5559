package import BeaconModel
import Glibc

/// A symbolic link with a stable name to a port whose own name varies.
package struct PortLink: Sendable {
    package let path: String
    private let target: String

    /// Creates the link. Replaces an existing symbolic link, but nothing else.
    ///
    /// - Throws: `PortLinkOccupied` or `SystemError`.
    package init(at path: String, to target: String) throws {
        self.path = path
        self.target = target
        var status = stat()
        if lstat(path, &status) == 0 {
            guard status.st_mode & S_IFMT == S_IFLNK else { throw PortLinkOccupied(path: path) }
            guard unlink(path) == 0 else { throw SystemError("replace the link \(path)", errorNumber: errno) }
        }
        guard symlink(target, path) == 0 else { throw SystemError("create the link \(path)", errorNumber: errno) }
    }

    /// Removes the link, unless it now points elsewhere.
    package func remove() {
        var buffer = [CChar](repeating: 0, count: target.utf8.count + 1)
        let count = readlink(path, &buffer, buffer.count)
        guard count == target.utf8.count, zip(buffer, target.utf8).allSatisfy({ UInt8(truncatingIfNeeded: $0) == $1 })
        else {
            return
        }
        unlink(path)
    }
}

/// An error: the path intended for the link to a port exists and is not a symbolic link.
package struct PortLinkOccupied: OperatorError {
    package var path: String

    package var what: String { "\(path) exists and is not a symbolic link" }
    package var meaning: String? { "the link cannot be created without deleting it" }
    package var remedy: String? { "choose another path for the link, or remove \(path)" }
    package var exitStatus: ExitStatus { .usage }
}
