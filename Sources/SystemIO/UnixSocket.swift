package import BeaconModel
import Glibc

/// Unix sockets of other processes.
package enum UnixSocket {
    /// Connects to a socket, and closes the connection again.
    ///
    /// - Throws: `SystemError`: `ENOENT` if there is no file, `ECONNREFUSED` if nobody listens, `EACCES` if this process
    ///   may not connect.
    package static func probe(_ path: String) throws(SystemError) {
        let what = "connect to \(path)"
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let bytes = Array(path.utf8)
        let hasRoom = withUnsafeMutableBytes(of: &address.sun_path) { room in
            guard bytes.count < room.count else { return false }
            room.copyBytes(from: bytes)
            return true
        }
        guard hasRoom else { throw SystemError(what, errorNumber: ENAMETOOLONG) }
        let type = CInt(SOCK_STREAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue) | CInt(SOCK_NONBLOCK.rawValue)
        let descriptor = socket(AF_UNIX, type, 0)
        guard descriptor >= 0 else { throw SystemError(what, errorNumber: errno) }
        defer { close(descriptor) }
        let size = socklen_t(MemoryLayout<sockaddr_un>.size)
        let result = withUnsafePointer(to: address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(descriptor, $0, size) }
        }
        guard result != 0 else { return }
        throw SystemError(what, errorNumber: errno)
    }
}
