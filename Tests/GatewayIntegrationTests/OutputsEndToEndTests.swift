import Glibc
import SystemIO
import TestSupport
import Testing

@testable import Gateway

/// What other people's tools are told: the built program, a real broker, and two badges of a simulated radio, of which
/// one has a name.
@Suite("Outputs for other people's tools", .timeLimit(.minutes(10)))
struct OutputsEndToEndTests {
    private static let everything =
        "[home-assistant]\n[mqtt-room]\ninterval = \"1s\"\n[homie]\n[raddec]\ninterval = \"1s\"\n"
    private static let known = """
        [[known-beacons]]
        uuid = "\(DemoBuilding.badgeUUID)"
        major = 9
        minor = 1
        name = "Anna"

        """
    private static let badge = "homeassistant/device/bg_s_b_1_g_\(DemoBuilding.badgeUUID)_9_1/config"
    private static let homie = "homie/5/bg-s-b-1-g"

    private func start(
        _ directory: borrowing TemporaryDirectory, _ broker: TestBroker, _ tables: String
    ) throws -> ChildProcess {
        let configuration = try directory.writeConfiguration(
            brokerPort: broker.port, uuid: DemoBuilding.badgeUUID,
            further: "[interactions]\nupdate-interval = \"1s\"\n" + tables)
        return try ChildProcess(
            BuiltProgram.path("beacon-gateway"), ["run", "--config", configuration, "--simulated-reports", "20"])
    }

    /// Reads until each of the fragments has been in a line; gives all lines.
    private func read(_ lines: LineStream, until fragments: [String]) async -> [String] {
        var missing = fragments
        var read: [String] = []
        while !missing.isEmpty, let line = await lines.first() {
            read.append(line)
            missing.removeAll { line.contains($0) }
        }
        #expect(missing.isEmpty)
        return read
    }

    @Test("Each output's messages reach a subscriber, about the named beacon and nobody else")
    func everyOutput() async throws {
        try await TestBroker.with { broker in
            let directory = try TemporaryDirectory()
            let lines = try await broker.subscribe(to: "#")
            let gateway = try start(directory, broker, Self.everything + Self.known)
            let read = await read(
                lines,
                until: [
                    "1 homeassistant/device/bg_s_b_1_g/config {", "1 \(Self.badge) {",
                    "0 0 espresense/devices/iBeacon-\(DemoBuilding.badgeUUID)-9-1/g {", "/3/raddec {",
                    "1 \(Self.homie)/$state ready", "/beacon/presence present", "/beacon/distance ",
                ])
            gateway.send(signal: SIGTERM)
            let farewell = await self.read(
                lines, until: ["\(Self.homie)/$state disconnected", "-9-1/$state disconnected", "/status "])
            #expect(await gateway.exitStatus() == 0)
            let outputs = (read + farewell).filter { !$0.contains(" beacons/v1/") }
            // The other badge, in each of the ways in which it could be named; nor any badge's address.
            for stranger in ["-9-0", "_9_0", "/9/0", "00090000c5", "C0:00:00:00:00", "c00000000001", "0100000000c0"] {
                #expect(!outputs.contains { $0.contains(stranger) }, "\(stranger)")
            }
        }
    }

    @Test("A gateway that is killed is lost to Homie by its connection's will")
    func lost() async throws {
        try await TestBroker.with { broker in
            let directory = try TemporaryDirectory()
            let lines = try await broker.subscribe(to: "homie/#")
            let gateway = try start(directory, broker, "[homie]\n")
            _ = await read(lines, until: ["\(Self.homie)/$state ready"])
            gateway.send(signal: SIGKILL)
            _ = await read(lines, until: ["\(Self.homie)/$state lost"])
            _ = await gateway.exitStatus()
        }
    }

    @Test("A device is described before it is ready")
    func order() async throws {
        try await TestBroker.with { broker in
            let directory = try TemporaryDirectory()
            let lines = try await broker.subscribe(to: "homie/#")
            let gateway = try start(directory, broker, "[homie]\n" + Self.known)
            let read = await read(lines, until: ["\(Self.homie)/$state ready", "-9-1/$state ready"])
            gateway.send(signal: SIGKILL)
            _ = await gateway.exitStatus()
            for device in ["bg-s-b-1-g/", "-9-1/"] {
                let described = read.firstIndex { $0.contains(device + "$description {") }
                let ready = read.firstIndex { $0.contains(device + "$state ready") }
                #expect(try #require(described) < #require(ready), "\(read)")
            }
        }
    }

    @Test("When Home Assistant has started, its configurations are published again")
    func again() async throws {
        try await TestBroker.with { broker in
            let directory = try TemporaryDirectory()
            let lines = try await broker.subscribe(to: "homeassistant/#")
            let gateway = try start(directory, broker, "[home-assistant]\n" + Self.known)
            _ = await read(lines, until: ["bg_s_b_1_g/config {", Self.badge])
            // Retained, because the gateway's subscription may come after it.
            let hello = try ChildProcess(
                "mosquitto_pub",
                ["-h", "127.0.0.1", "-p", "\(broker.port)", "-r", "-t", "homeassistant/status", "-m", "online"])
            #expect(await hello.exitStatus() == 0)
            _ = await read(lines, until: ["homeassistant/status online"])
            _ = await read(lines, until: ["bg_s_b_1_g/config {", Self.badge])
            gateway.send(signal: SIGKILL)
            _ = await gateway.exitStatus()
        }
    }

    @Test("A beacon that was struck out, and an output that was switched off, leave nothing behind")
    func struckOut() async throws {
        try await TestBroker.with { broker in
            let directory = try TemporaryDirectory()
            let lines = try await broker.subscribe(to: "#")
            let first = try start(directory, broker, "[home-assistant]\n[homie]\n" + Self.known)
            _ = await read(
                lines, until: ["1 \(Self.badge) {", "\(Self.homie)/$state ready", "/beacon/presence present"])
            first.send(signal: SIGTERM)
            #expect(await first.exitStatus() == 0)
            let second = try start(directory, broker, "[home-assistant]\n")
            let read = await read(lines, until: ["0 1 \(Self.badge) ", "0 1 \(Self.homie)/$description "])
            second.send(signal: SIGTERM)
            #expect(await second.exitStatus() == 0)
            #expect(read.last { $0.contains(Self.badge) }?.hasSuffix("/config ") == true)
            // What is retained now is told to whoever subscribes now.
            let after = try await broker.subscribe(to: "#")
            let retained = await self.read(after, until: ["1 1 beacons/v1/s/b/1/g/status "])
            let later = try ChildProcess(
                "mosquitto_pub", ["-h", "127.0.0.1", "-p", "\(broker.port)", "-t", "end", "-m", "end"])
            #expect(await later.exitStatus() == 0)
            let all = await self.read(after, until: ["0 0 end end"]) + retained
            #expect(!all.contains { $0.contains(" homie/") || $0.contains(Self.badge) }, "\(all)")
            #expect(all.contains { $0.contains("homeassistant/device/bg_s_b_1_g/config {") })
        }
    }
}
