import BeaconModel
import Glibc
import SystemIO
import TestSupport
import Testing

/// The local socket itself: who is admitted, and what clients that mean harm can do.
@Suite(.timeLimit(.minutes(5))) struct LocalSocketTests {
    private static func mode(of path: String) -> mode_t {
        var status = stat()
        return lstat(path, &status) == 0 ? status.st_mode : 0
    }

    private static func connect(to path: String) throws -> CInt {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8)) }
        let descriptor = socket(AF_UNIX, CInt(SOCK_STREAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue), 0)
        let size = socklen_t(MemoryLayout<sockaddr_un>.size)
        let result = withUnsafePointer(to: address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { Glibc.connect(descriptor, $0, size) }
        }
        guard result == 0 else { throw SystemError("connect", errorNumber: errno) }
        return descriptor
    }

    private static func send(_ bytes: [UInt8], on descriptor: CInt) {
        _ = bytes.withUnsafeBytes {
            Glibc.send(descriptor, $0.baseAddress, $0.count, CInt(MSG_NOSIGNAL) | CInt(MSG_DONTWAIT))
        }
    }

    /// What comes until the other side closes.
    private static func read(_ descriptor: CInt) async throws -> String {
        try await DedicatedThread.run(name: "read") {
            var all: [UInt8] = []
            var part = [UInt8](repeating: 0, count: 4096)
            while true {
                let count = Glibc.read(descriptor, &part, part.count)
                guard count > 0 else { return String(decoding: all, as: UTF8.self) }
                all += part[..<count]
            }
        }
    }

    private static func curl(_ bench: LocalBench, _ arguments: String..., path: String) async throws -> [String] {
        try await ChildProcess.run(
            ChildProcess.find("curl"),
            ["--silent", "--max-time", "20", "--unix-socket", bench.socket, "--write-out", "\n%{http_code}"]
                + arguments + ["http://localhost\(path)"]
        ).output
    }

    @Test("Other users are refused by the permissions and by name, and members of its group are admitted")
    func access() async throws {
        // Only root can be somebody else, and others must be able to read what was built.
        let stranger = ["--reuid=4711", "--regid=4711", "--clear-groups"]
        let version = try await ChildProcess.run(
            ChildProcess.find("setpriv"), stranger + [BuiltProgram.path("beacon-gateway"), "--version"])
        guard version.status == 0 else { return }
        let directory = try TemporaryDirectory()
        let group: gid_t = 65_534
        _ = chown(directory.path, 0, group)
        _ = chmod(directory.path, 0o2755)
        let bench = try LocalBench(in: directory)
        try #require(await bench.isListening())
        #expect(Self.mode(of: bench.socket) == S_IFSOCK | 0o660)
        func status(as options: [String]) async throws -> (status: Int32, errors: String) {
            let result = try await ChildProcess.run(
                ChildProcess.find("setpriv"),
                options + [BuiltProgram.path("beacon-gateway"), "status", "--json", "--socket", bench.socket])
            return (result.status, result.errorOutput.joined(separator: "\n"))
        }
        let refused = try await status(as: stranger)
        #expect(refused.status == 77)
        #expect(refused.errors.contains("what to do: use sudo, or join the group nogroup"), "\(refused.errors)")
        let member = try await status(as: ["--reuid=4711", "--regid=4711", "--groups=\(group)"])
        #expect([0, 1].contains(member.status), "\(member.errors)")
        // Permissions that somebody widened admit nobody else.
        _ = chmod(bench.socket, 0o666)
        let again = try await status(as: stranger)
        #expect(again.status == 77)
        #expect(again.errors.contains("join the group nogroup"), "\(again.errors)")
        // A directory that hides the socket names the same group.
        _ = chmod(directory.path, 0o2750)
        let hidden = try await status(as: stranger)
        #expect(hidden.status == 77)
        #expect(hidden.errors.contains("join the group nogroup"), "\(hidden.errors)")
        _ = await bench.stop()
    }

    @Test("What is no request of the gateway gets an answer that says so")
    func wrongRequests() async throws {
        let bench = try LocalBench()
        try #require(await bench.isListening())
        #expect(try await Self.curl(bench, path: "/v1/nothing").last == "404")
        #expect(try await Self.curl(bench, "--request", "POST", path: "/v1/status").last == "405")
        #expect(try await Self.curl(bench, "--request", "PUT", "--data", "{}", path: "/v1/log-level").last == "400")
        let huge = String(repeating: "a", count: 100_000)
        #expect(try await Self.curl(bench, "--request", "PUT", "--data", huge, path: "/v1/log-level").last == "413")
        let level = try await Self.curl(bench, path: "/v1/log-level")
        #expect(level == [#"{"initial":"info","level":"info"}"#, "200"])
        _ = await bench.stop()
    }

    @Test("Clients that are slow, send garbage or take all connections neither disturb others nor prevent the end")
    func hostile() async throws {
        let bench = try LocalBench()
        try #require(await bench.isListening())
        var descriptors: [CInt] = []
        defer { for descriptor in descriptors { close(descriptor) } }
        let starts = [
            "", "GET /v1/status HTTP/1.1\r\nHost: ",
            "PUT /v1/log-level HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\n{",
            "POST /v1/reload HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n",
        ]
        // More than there are connections for.
        for index in 0..<60 {
            guard let descriptor = try? Self.connect(to: bench.socket) else { break }
            descriptors.append(descriptor)
            Self.send(Array(starts[index % starts.count].utf8), on: descriptor)
        }
        let garbage = try Self.connect(to: bench.socket)
        descriptors.append(garbage)
        Self.send((0..<10_000).map { UInt8(truncatingIfNeeded: $0 &* 131 &+ 7) }, on: garbage)
        let answer = try await Self.read(garbage)
        #expect(answer.isEmpty || answer.hasPrefix("HTTP/1.1 4"), "\(answer)")
        #expect(try await bench.status()?.process == bench.daemon.identifier)
        #expect(await bench.stop() == 0)
    }

    @Test("A socket at which another program listens stays its own, and the gateway goes on without one")
    func taken() async throws {
        let directory = try TemporaryDirectory()
        let first = try LocalBench(in: directory)
        try #require(await first.isListening())
        let other = try TemporaryDirectory()
        let configuration = try other.write(
            "gateway.toml",
            LocalBench.configuration(other, brokerPort: 1).replacing(
                "\"control.sock\"", with: "\"\(first.socket)\""
            ).replacing("inventory = \"floor.csv\"\n", with: ""))
        let second = try ChildProcess(
            BuiltProgram.path("beacon-gateway"), ["run", "--config", configuration, "--simulated-reports", "10"])
        let line = await second.errorOutput.first { $0.contains("local socket not available") }
        #expect(line?.contains("another program listens there") == true, "\(line ?? "-")")
        #expect(line?.contains("local-socket") == true)
        second.send(signal: SIGTERM)
        #expect(await second.exitStatus() == 0)
        #expect(try await first.status()?.process == first.daemon.identifier)
        _ = await first.stop()
    }
}
