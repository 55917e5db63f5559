import Glibc

/// File of the Unix socket at which the API listens.
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

    /// Returns whether nobody listens at a socket. One that this process may not connect to is of somebody else.
    private static func isLeft(at path: String) -> Bool {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let bytes = Array(path.utf8)
        let hasRoom = withUnsafeMutableBytes(of: &address.sun_path) { room in
            guard bytes.count < room.count else { return false }
            room.copyBytes(from: bytes)
            return true
        }
        guard hasRoom else { return false }
        let type = CInt(SOCK_STREAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue) | CInt(SOCK_NONBLOCK.rawValue)
        let descriptor = socket(AF_UNIX, type, 0)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        let size = socklen_t(MemoryLayout<sockaddr_un>.size)
        let result = withUnsafePointer(to: address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(descriptor, $0, size) }
        }
        return result != 0 && (errno == ECONNREFUSED || errno == ENOENT)
    }
}
