import BeaconModel
import CLinux
import Glibc
import SystemIO
import TestSupport

/// A Unix socket for some connections, each of which is answered on a thread.
final class PictureSocketServer: Sendable {
    let path: String
    private let listener: CInt
    private let directory: TemporaryDirectory

    /// - Parameter answer: gets each connection, which is closed afterwards.
    init(connections: Int = 1, _ answer: @escaping @Sendable (CInt) -> Void) throws {
        let directory = try TemporaryDirectory()
        let path = directory.path + "/ocr.sock"
        let listener = try Self.listen(at: path)
        (self.directory, self.path, self.listener) = (directory, path, listener)
        try DedicatedThread.start(name: "picture-server") {
            for _ in 0..<connections {
                guard let connection = LoopbackSocket.accept(listener) else { return }
                answer(connection)
                close(connection)
            }
        }
    }

    deinit {
        // A thread that waits for another connection ends by it.
        shutdown(listener, CInt(SHUT_RDWR))
        close(listener)
    }

    /// Runs a program with each connection as its standard input and output, as systemd does, and waits for it.
    static func running(_ command: [String], connections: Int = 1) throws -> PictureSocketServer {
        try PictureSocketServer(connections: connections) { connection in
            var actions = posix_spawn_file_actions_t()
            posix_spawn_file_actions_init(&actions)
            defer { posix_spawn_file_actions_destroy(&actions) }
            posix_spawn_file_actions_adddup2(&actions, connection, STDIN_FILENO)
            posix_spawn_file_actions_adddup2(&actions, connection, STDOUT_FILENO)
            var pointers = command.map { strdup($0) } + [nil]
            defer { for pointer in pointers { free(pointer) } }
            var environment: [UnsafeMutablePointer<CChar>?] = [nil]
            var identifier: Int32 = 0
            let path = command.first ?? ""
            guard posix_spawn(&identifier, path, &actions, nil, &pointers, &environment) == 0 else { return }
            var status: Int32 = 0
            while waitpid(identifier, &status, 0) < 0, errno == EINTR {}
        }
    }

    private static func listen(at path: String) throws(SystemError) -> CInt {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8)) }
        let listener = socket(AF_UNIX, CInt(SOCK_STREAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue), 0)
        let size = socklen_t(MemoryLayout<sockaddr_un>.size)
        let status = withUnsafePointer(to: address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(listener, $0, size) }
        }
        guard status == 0, Glibc.listen(listener, 8) == 0 else {
            throw SystemError("listen at \(path)", errorNumber: errno)
        }
        return listener
    }
}
