import BeaconModel
import Glibc

/// Permissions, owner and group of a file.
package struct FileOwnership: Equatable, Sendable {
    /// The nine permission bits.
    package var mode: UInt32
    /// User ID; `nil` for that of this process.
    package var owner: UInt32?
    /// Group ID; `nil` for that of this process.
    package var group: UInt32?

    package init(mode: UInt32, owner: UInt32? = nil, group: UInt32? = nil) {
        self.mode = mode
        self.owner = owner
        self.group = group
    }

    /// Reads those of a file; `nil` if there is none.
    package init?(of path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        self.init(mode: status.st_mode & 0o777, owner: status.st_uid, group: status.st_gid)
    }

    /// The group of this name; `nil` if there is none.
    package static func group(named name: String) -> UInt32? { getgrnam(name)?.pointee.gr_gid }

    /// Gives them to an open file. Users who are not root cannot give a file away; it stays theirs.
    ///
    /// - Parameter path: the path of the file, for errors.
    func apply(to descriptor: CInt, _ path: String) throws(SystemError) {
        if owner != nil || group != nil, fchown(descriptor, owner ?? .max, group ?? .max) != 0, geteuid() == 0 {
            throw SystemError("change the owner of \(path)", errorNumber: errno)
        }
        guard fchmod(descriptor, mode) == 0 else {
            throw SystemError("change the permissions of \(path)", errorNumber: errno)
        }
    }
}
