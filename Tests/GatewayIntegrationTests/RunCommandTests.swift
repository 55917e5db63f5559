import Glibc
import SystemIO
import TestSupport
import Testing

/// `run`: how the daemon starts, what it refuses, and how it ends.
@Suite(.timeLimit(.minutes(10))) struct RunCommandTests {
    @Test("A wrong configuration starts nothing, and ends with status 78")
    func wrongConfiguration() async throws {
        let directory = try TemporaryDirectory()
        let path = try directory.write("gateway.toml", "[place]\nsite = \"S\"\n")
        let (status, _, errors) = try await GatewayProgram.run(["run", "--config", path])
        #expect(status == 78)
        #expect(errors.contains { $0.hasPrefix("  \(path):2:1: place.site: found \"S\"; must be") }, "\(errors)")
        #expect(try await GatewayProgram.run(["run", "--config", "/no/such/file"]).status == 78)
    }

    @Test("A file that is no UTF-8 text, or holds a NUL, is refused whole", arguments: [[0x00], [0xFF]] as [[UInt8]])
    func noText(bytes: [UInt8]) async throws {
        let directory = try TemporaryDirectory()
        let good = try FileContents.read(try directory.writeConfiguration(brokerPort: 1), limit: 10_000)
        let path = try directory.write("bad.toml", good + Array("\n# ".utf8) + bytes + Array("\n[mqqtt]\n".utf8))
        let (status, _, errors) = try await GatewayProgram.run(["run", "--check", "--config", path])
        #expect(status == 78)
        #expect(errors.contains { $0.contains("not UTF-8 text") }, "\(errors)")
    }

    /// The boot number in a line of `mosquitto_sub` on the status topic, when the state is the expected one.
    private func boot(_ line: String?, state: String) -> UInt64? {
        guard let match = line?.firstMatch(of: /"boot":(\d+),(?:"radio":"\w+",)?"state":"(\w+)"/), match.2 == state
        else { return nil }
        return UInt64(match.1)
    }

    @Test("A second daemon with the same state directory is refused, and the first one goes on")
    func twoDaemons() async throws {
        try await TestBroker.with { broker in
            let directory = try TemporaryDirectory()
            let configuration = try directory.writeConfiguration(brokerPort: broker.port)
            let received = try await broker.subscribe(to: "beacons/v1/s/b/1/g/status")
            let daemon = try ChildProcess(BuiltProgram.path("beacon-gateway"), ["run", "--config", configuration])
            _ = try #require(boot(await received.first(), state: "online"))
            let (status, _, errors) = try await GatewayProgram.run(["run", "--config", configuration])
            #expect(status == 69)
            #expect(errors.contains { $0.hasPrefix("error: another beacon-gateway is running") }, "\(errors)")
            daemon.send(signal: SIGTERM)
            #expect(boot(await received.first { $0.contains("stopping") }, state: "stopping") != nil)
            _ = await daemon.exitStatus()
        }
    }

    @Test("The daemon says online; killed without a word, the broker says lost in its place")
    func will() async throws {
        try await TestBroker.with { broker in
            let directory = try TemporaryDirectory()
            let configuration = try directory.writeConfiguration(brokerPort: broker.port)
            let received = try await broker.subscribe(to: "beacons/v1/s/b/1/g/status")
            let daemon = try ChildProcess(BuiltProgram.path("beacon-gateway"), ["run", "--config", configuration])
            let online = try #require(boot(await received.first(), state: "online"))
            daemon.send(signal: SIGKILL)
            #expect(boot(await received.first { $0.contains("lost") }, state: "lost") == online)
            let retained = try await broker.subscribe(to: "beacons/v1/s/b/1/g/status")
            #expect(await retained.first()?.hasPrefix("1 1 ") == true)
            _ = await daemon.exitStatus()
        }
    }

    @Test(
        "The daemon ends on SIGTERM and on SIGINT with stopping, and each run has a greater boot number",
        arguments: [SIGTERM, SIGINT])
    func farewell(signal: Int32) async throws {
        try await TestBroker.with { broker in
            let directory = try TemporaryDirectory()
            let configuration = try directory.writeConfiguration(brokerPort: broker.port)
            let received = try await broker.subscribe(to: "beacons/v1/s/b/1/g/status")
            var last: UInt64 = 0
            for _ in 1...2 {
                let daemon = try ChildProcess(BuiltProgram.path("beacon-gateway"), ["run", "--config", configuration])
                let online = try #require(boot(await received.first(), state: "online"))
                #expect(online > last)
                last = online
                daemon.send(signal: signal)
                #expect(boot(await received.first { $0.contains("stopping") }, state: "stopping") == online)
                #expect(await daemon.exitStatus() == 0)
            }
        }
    }
}
