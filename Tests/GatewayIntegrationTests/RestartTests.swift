import Glibc
import RecordContract
import SystemIO
import TestSupport
import Testing

@testable import Gateway

/// A gateway that ends, however it ends, and is started again: the built program, a real broker, and two badges of a
/// simulated radio.
@Suite("A gateway that is started again", .timeLimit(.minutes(10)))
struct RestartTests {
    /// What a subscriber is told of an interaction.
    private struct Record: Decodable, Equatable {
        struct Payload: Decodable, Equatable {
            var beacon: Beacon
            var interaction: String
            var continues: String?
            var endReason: String?
            var connectedAt: String
        }

        struct Beacon: Decodable, Equatable { var minor: UInt16 }

        var type: String
        var data: Payload
    }

    /// With updates, which tell that somebody is heard, and with a silence for which no test waits.
    private func configuration(_ directory: borrowing TemporaryDirectory, _ broker: TestBroker) throws -> String {
        try directory.writeConfiguration(
            brokerPort: broker.port, uuid: DemoBuilding.badgeUUID,
            further: "[interactions]\nsilence = \"1h\"\nupdate-interval = \"1s\"")
    }

    private func start(_ configuration: String) throws -> ChildProcess {
        try ChildProcess(
            BuiltProgram.path("beacon-gateway"), ["run", "--config", configuration, "--simulated-reports", "20"])
    }

    private func record(_ line: String) -> Record? {
        guard let brace = line.firstIndex(of: "{") else { return nil }
        return try? JSON.decode(Record.self, from: Array(line[brace...].utf8))
    }

    /// Reads until there are as many records of a type.
    private func next(_ count: Int, _ type: String, _ lines: LineStream) async -> [Record] {
        var records: [Record] = []
        while records.count(where: { $0.type == type }) < count {
            guard let line = await lines.first(where: { $0.contains("/interaction {") }) else { return records }
            if let record = record(line) { records.append(record) }
        }
        return records
    }

    @Test("Killed, it goes on with the interactions that it had: none begins twice, and each ends once")
    func killed() async throws {
        try await TestBroker.with { broker in
            let directory = try TemporaryDirectory()
            let configuration = try configuration(directory, broker)
            let lines = try await broker.subscribe(to: "beacons/#")
            let first = try start(configuration)
            let begun = await next(2, "interaction.started", lines)
            first.send(signal: SIGKILL)
            #expect(await first.exitStatus() == 128 + SIGKILL)
            let second = try start(configuration)
            _ = await lines.first { $0.contains("/status ") && $0.contains("online") }
            var again: Set<String> = []
            while again.count < 2, let updated = await next(1, "interaction.updated", lines).last {
                again.insert(updated.data.interaction)
            }
            #expect(again == Set(begun.map(\.data.interaction)))
            second.send(signal: SIGTERM)
            let ended = await next(2, "interaction.ended", lines)
            #expect(await second.exitStatus() == 0)
            #expect(!ended.contains { $0.type == "interaction.started" }, "\(ended)")
            let last = ended.filter { $0.type == "interaction.ended" }
            #expect(last.allSatisfy { $0.data.endReason == "shutdown" }, "\(last)")
            #expect(Set(begun.map(\.data.interaction)) == Set(last.map(\.data.interaction)))
            #expect(Set(begun.map(\.data.interaction)).count == 2)
        }
    }

    @Test("While it runs it keeps who is heard, however many records there are")
    func keepsWhoIsHeard() async throws {
        try await TestBroker.with { broker in
            let directory = try TemporaryDirectory()
            let configuration = try configuration(directory, broker)
            let lines = try await broker.subscribe(to: "beacons/#")
            let gateway = try start(configuration)
            // Of two badges, each once a second: longer than the 5 s between two notes.
            _ = await next(16, "interaction.updated", lines)
            gateway.send(signal: SIGKILL)
            _ = await gateway.exitStatus()
            let journal = try FileContents.read(directory.path + "/presence.journal", limit: 1_000_000)
            #expect(String(decoding: journal, as: UTF8.self).contains(#""heard":"#))
        }
    }

    @Test("Stopped, it ends its interactions, and after the start others continue them")
    func stopped() async throws {
        try await TestBroker.with { broker in
            let directory = try TemporaryDirectory()
            let configuration = try configuration(directory, broker)
            let lines = try await broker.subscribe(to: "beacons/#")
            let first = try start(configuration)
            _ = await next(2, "interaction.started", lines)
            first.send(signal: SIGTERM)
            let ended = await next(2, "interaction.ended", lines)
            #expect(await first.exitStatus() == 0)
            let second = try start(configuration)
            let begun = await next(2, "interaction.started", lines)
            second.send(signal: SIGKILL)
            _ = await second.exitStatus()
            #expect(Set(begun.compactMap(\.data.continues)) == Set(ended.map(\.data.interaction)))
            #expect(Set(begun.map(\.data.connectedAt)) == Set(ended.map(\.data.connectedAt)))
        }
    }

    @Test("What is kept of who is here may be read by its owner only")
    func privacy() async throws {
        try await TestBroker.with { broker in
            let directory = try TemporaryDirectory()
            let configuration = try configuration(directory, broker)
            let lines = try await broker.subscribe(to: "beacons/#")
            let gateway = try start(configuration)
            _ = await next(2, "interaction.started", lines)
            gateway.send(signal: SIGKILL)
            _ = await gateway.exitStatus()
            for name in ["presence.json", "presence.journal"] {
                var status = stat()
                #expect(stat(directory.path + "/" + name, &status) == 0)
                #expect(status.st_mode & 0o777 == 0o600, "\(name)")
            }
        }
    }

    @Test("What is kept and damaged is put aside, and the gateway goes on without it")
    func damaged() async throws {
        try await TestBroker.with { broker in
            let directory = try TemporaryDirectory()
            let configuration = try configuration(directory, broker)
            _ = try directory.write("presence.json", "{\"boot\":1,")
            let lines = try await broker.subscribe(to: "beacons/#")
            let gateway = try start(configuration)
            #expect(await next(2, "interaction.started", lines).count >= 2)
            gateway.send(signal: SIGKILL)
            let log = await gateway.errorOutput.all()
            #expect(log.contains { $0.contains("presence.json is damaged") }, "\(log)")
            #expect(try FileContents.read(directory.path + "/presence.json.damaged", limit: 100).count == 10)
        }
    }
}
