import Glibc
import SystemIO
import TestSupport
import Testing

@testable import BeaconModel
@testable import HTTPServing
@testable import MatcherDaemon

@Suite("The API at a Unix socket", .timeLimit(.minutes(10))) struct UnixSocketTests {
    /// Asks for a path at a socket; returns the status, or 0 if nobody answers.
    private static func status(_ path: String, at socket: String, from client: String? = nil) async throws -> Int {
        let headers = client.map { ["--header", "X-Forwarded-For: \($0)"] } ?? []
        let asked = try await ChildProcess.run(
            ChildProcess.find("curl"),
            [
                "--silent", "--max-time", "30", "--unix-socket", socket, "--output", "/dev/null", "--write-out",
                "%{http_code}",
            ] + headers + ["http://localhost\(path)"])
        return asked.output.first.flatMap { Int($0) } ?? 0
    }

    /// Binds a socket that nobody listens to, or somebody.
    private static func makeSocket(at path: String, listens: Bool) throws -> CInt {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8)) }
        let descriptor = socket(AF_UNIX, CInt(SOCK_STREAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue), 0)
        let size = socklen_t(MemoryLayout<sockaddr_un>.size)
        let bound = withUnsafePointer(to: address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(descriptor, $0, size) }
        }
        guard bound == 0, !listens || listen(descriptor, 1) == 0 else {
            throw SystemError("make a socket", errorNumber: errno)
        }
        return descriptor
    }

    private static func mode(of path: String) -> mode_t {
        var status = stat()
        return lstat(path, &status) == 0 ? status.st_mode : 0
    }

    @Test func `It answers there, and only its owner and group can ask`() async throws {
        let directory = try TemporaryDirectory()
        let path = directory.path + "/api.sock"
        try await TestAPI.with(isBehindProxy: true, socket: path) { _ in
            let status = try await Self.status("/v1/keys", at: path)
            #expect(status == 200)
            #expect(Self.mode(of: path) == S_IFSOCK | 0o660)
        }
    }

    @Test func `Behind a proxy each client has its own budget, and who is not named shares one`() async throws {
        let directory = try TemporaryDirectory()
        let path = directory.path + "/api.sock"
        try await TestAPI.with(requestsPerMinute: 2, isBehindProxy: true, socket: path) { _ in
            for client in ["192.0.2.1", "192.0.2.2", nil] {
                for expected in [200, 200, 429] {
                    let status = try await Self.status("/v1/keys", at: path, from: client)
                    #expect(status == expected)
                }
            }
        }
    }

    @Test func `Without a proxy all clients are one`() async throws {
        let directory = try TemporaryDirectory()
        let path = directory.path + "/api.sock"
        try await TestAPI.with(requestsPerMinute: 2, socket: path) { _ in
            for (client, expected) in [("192.0.2.1", 200), ("192.0.2.2", 200), ("192.0.2.3", 429)] {
                let status = try await Self.status("/v1/keys", at: path, from: client)
                #expect(status == expected)
            }
        }
    }

    @Test func `A socket that an earlier process left is replaced`() async throws {
        let directory = try TemporaryDirectory()
        let path = directory.path + "/api.sock"
        close(try Self.makeSocket(at: path, listens: false))
        #expect(UnixSocketFile.obstacle(at: path) == nil)
        try await TestAPI.with(isBehindProxy: true, socket: path) { _ in
            let status = try await Self.status("/v1/keys", at: path)
            #expect(status == 200)
        }
    }

    @Test func `A socket at which somebody listens stays theirs`() throws {
        let directory = try TemporaryDirectory()
        let path = directory.path + "/api.sock"
        let descriptor = try Self.makeSocket(at: path, listens: true)
        defer { close(descriptor) }
        #expect(UnixSocketFile.obstacle(at: path) == "another program listens there")
        #expect(Self.mode(of: path) & S_IFMT == S_IFSOCK)
    }

    @Test func `A file that is not a socket stays`() throws {
        let directory = try TemporaryDirectory()
        let path = try directory.write("api.sock", "kept")
        #expect(UnixSocketFile.obstacle(at: path) == "this file is not a socket")
        #expect(UnixSocketFile.obstacle(at: directory.path) == "this file is not a socket")
        #expect(UnixSocketFile.obstacle(at: directory.path + "/nothing") == nil)
    }
}
