import BeaconModel
import Glibc
import SystemIO

/// File of the Unix socket at which a server listens.
enum UnixSocketFile {
    /// Permissions of the socket: its owner and group can connect.
    private static let mode: mode_t = 0o660

    /// Returns why nothing can listen at a path; `nil` if nothing is there, or a socket that an earlier process left.
    ///
    /// The server removes such a socket. Any other file stays.
    static func obstacle(at path: String) -> String? {
        var status = stat()
        // For other reasons than a missing file, listening fails with the same reason.
        guard lstat(path, &status) == 0 else { return nil }
        guard status.st_mode & S_IFMT == S_IFSOCK else { return "this file is not a socket" }
        return isLeft(at: path) ? nil : "another program listens there"
    }

    /// Lets the group of the socket connect, and nobody else.
    ///
    /// - Returns: whether that was possible.
    static func open(_ path: String) -> Bool { chmod(path, mode) == 0 }

    /// What a file is, whatever its name is.
    struct Identity: Equatable, Sendable {
        var device: UInt64
        var number: UInt64
    }

    /// Returns the identity of a file; `nil` if it does not exist.
    static func identity(of path: String) -> Identity? {
        var status = stat()
        guard lstat(path, &status) == 0 else { return nil }
        return Identity(device: UInt64(status.st_dev), number: UInt64(status.st_ino))
    }

    /// Removes a socket, unless another process has replaced it.
    static func remove(_ path: String, if identity: Identity) {
        if self.identity(of: path) == identity { unlink(path) }
    }

    /// Returns whether nobody listens at a socket. One that this process may not connect to is of somebody else.
    private static func isLeft(at path: String) -> Bool {
        do throws(SystemError) {
            try UnixSocket.probe(path)
            return false
        } catch {
            return error.errorNumber == ECONNREFUSED || error.errorNumber == ENOENT
        }
    }
}
