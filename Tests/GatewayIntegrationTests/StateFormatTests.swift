import BeaconModel
import Glibc
import OperatorText
import RecordContract
import RecordOutbox
import SystemIO
import TestSupport
import TestValues
import Testing

@testable import Gateway
@testable import GatewayCore
@testable import GatewayDaemon
@testable import Publishing

/// The format of a gateway's state directory: directories of earlier and later versions.
@Suite("The format of the state directory", .timeLimit(.minutes(10))) struct StateFormatTests {
    private let directory: TemporaryDirectory
    private let configuration: String
    private var formatFile: String { directory.path + "/state-format" }

    init() throws {
        directory = try TemporaryDirectory()
        configuration = try directory.writeConfiguration(brokerPort: 1, uuid: DemoBuilding.badgeUUID)
    }

    private func start() throws -> ChildProcess {
        try ChildProcess(
            BuiltProgram.path("beacon-gateway"), ["run", "--config", configuration, "--simulated-reports", "10"])
    }

    private func format() throws -> String {
        String(decoding: try FileContents.read(formatFile, limit: 1000), as: UTF8.self)
    }

    /// Puts records into the outbox, as an earlier version has left them.
    private func fill(_ count: Int) async throws {
        let outbox = try await Outbox.open(directory.path + "/outbox.db", rules: OutboxRules(), now: .now())
        let records = (1...count).map { number in
            OutboxRecord(
                topic: "t", priority: .ended, position: RecordPosition(boot: 7, sequence: UInt64(number)),
                payload: Array(#"{"number":\#(number)}"#.utf8))
        }
        await outbox.append(records, at: .now())
        await outbox.close()
    }

    /// Sequences of the records of boot 7 that wait.
    private func waiting() throws -> Set<UInt64> {
        let store = try OutboxStore.open(directory.path + "/outbox.db")
        defer { store.abandon() }
        var sequences: Set<UInt64> = []
        let damaged = try store.load { row, _ in
            if row.position.boot == 7 { sequences.insert(row.position.sequence) }
        }
        #expect(damaged == [])
        return sequences
    }

    /// All files with their contents, without those that a reader of a database changes.
    private func contents() throws -> [String: [UInt8]] {
        var contents: [String: [UInt8]] = [:]
        for name in directory.names where !name.hasSuffix("-shm") {
            contents[name] = try FileContents.read(directory.path + "/" + name, limit: 100_000_000)
        }
        return contents
    }

    @Test func `A gateway killed with -9 while it takes over an earlier version's directory loses no record`()
        async throws
    {
        var random = SeededGenerator("state directories of an earlier version")
        let count = 10_000
        try await fill(count)
        let clock = ContinuousClock()
        // How long a start takes here, of which each kill meets another moment.
        var start = clock.now
        let first = try self.start()
        _ = await first.errorOutput.first { $0.contains("starting") }
        let length = clock.now - start
        first.send(signal: SIGKILL)
        _ = await first.exitStatus()
        for _ in 0..<TestScale.amount(3, full: 60) {
            unlink(formatFile)
            start = clock.now
            let gateway = try self.start()
            let moment = length * Double.random(in: 0...1.2, using: &random)
            try await Task.sleep(until: start + moment)
            gateway.send(signal: SIGKILL)
            _ = await gateway.exitStatus()
            // The file is whole or missing, however short the time was.
            if access(formatFile, F_OK) == 0 { #expect(try format().hasPrefix("format 1, written by"), random.comment) }
        }
        let last = try self.start()
        _ = await last.errorOutput.first { $0.contains("starting") }
        last.send(signal: SIGKILL)
        _ = await last.exitStatus()
        #expect(try format() == "format 1, written by beacon-gateway \(ProductVersion.number)\n")
        #expect(try waiting() == Set((1...UInt64(count))), random.comment)
    }

    @Test(arguments: [
        ["run"], ["outbox", "status"], ["outbox", "export"], ["outbox", "purge", "--all", "--yes"],
    ])
    func `A directory of a later version is refused with what to install, and not changed`(
        command: [String]
    ) async throws {
        try await fill(3)
        _ = try directory.write("state-format", "format 2, written by beacon-gateway 7.8.9\n")
        let before = try contents()
        let (status, output, errors) = try await ChildProcess.run(
            BuiltProgram.path("beacon-gateway"), command + ["--config", configuration])
        #expect(status == ExitStatus.configuration.rawValue, "\(errors)")
        #expect(output.isEmpty)
        let error = errors.joined(separator: "\n")
        #expect(error.contains("has format 2, written by beacon-gateway 7.8.9; this program, beacon-gateway"))
        #expect(error.contains("knows formats up to 1"))
        #expect(error.contains("install beacon-gateway 7.8.9 or a later one"))
        #expect(try contents() == before)
    }

    @Test func `Modules are not provisioned with the directory of a later version`() async throws {
        _ = try directory.write("state-format", "format 2, written by beacon-gateway 7.8.9\n")
        let inventory = try directory.write(
            "modules.toml",
            """
            [[modules]]
            name = "door"
            module = "any"
            uuid = "\(DemoBuilding.badgeUUID)"
            major = 1
            minor = 1
            measured-power = -59
            interval = "500ms"
            """)
        let (status, _, errors) = try await ChildProcess.run(
            BuiltProgram.path("beacon-gateway"),
            ["provision", "--inventory", inventory, "--state", directory.path, "--apply"])
        #expect(status == ExitStatus.configuration.rawValue, "\(errors)")
        #expect(errors.contains { $0.contains("has format 2, written by beacon-gateway 7.8.9") }, "\(errors)")
        #expect(directory.names.filter { $0.hasPrefix("lock") } == [])
    }

    @Test func `An outbox of a later version is refused by the tools too, and not changed`() async throws {
        let store = try OutboxStore.open(directory.path + "/outbox.db")
        try store.execute("ALTER TABLE record RENAME TO record2; PRAGMA user_version = 2")
        try store.closeNow()
        let before = try contents()["outbox.db"]
        for command in ["status", "export"] {
            let (status, _, errors) = try await ChildProcess.run(
                BuiltProgram.path("beacon-gateway"), ["outbox", command, "--config", configuration])
            #expect(status == ExitStatus.configuration.rawValue, "\(errors)")
            #expect(errors.contains { $0.contains("has schema version 2; this program supports up to 1") })
        }
        #expect(try contents()["outbox.db"] == before)
    }

    @Test func `A format that cannot be read is logged, and written anew`() throws {
        _ = try directory.write("state-format", "\0\0\0")
        var damage: [String] = []
        try StateDirectory(path: directory.path).upgrade { damage.append($0) }
        #expect(damage.count == 1 && damage[0].contains("/state-format does not name a format"))
        #expect(try format().hasPrefix("format 1,"))
    }

    // What a program that is killed leaves: the actions that were done, without the file that says so.
    @Test func `Steps that were interrupted anywhere are completed by the next start`() throws {
        let steps: [StateFormats.Step] = [
            .init(format: 1, actions: []),
            .init(format: 2, actions: [.rename("a", to: "b"), .remove("c")]),
            .init(format: 3, actions: [.rename("b", to: "d"), .remove("e")]),
        ]
        for done in 0...4 {
            let directory = try TemporaryDirectory()
            for name in ["a", "c", "e"] { _ = try directory.write(name, name) }
            let state = StateDirectory(path: directory.path)
            try state.upgrade(current: 1, steps: Array(steps.prefix(1))) { Issue.record("\($0)") }
            let actions = steps.flatMap(\.actions)
            for action in actions.prefix(done) {
                switch action {
                case .rename(let old, let new):
                    try FileContents.rename(directory.path + "/" + old, to: directory.path + "/" + new)
                case .remove(let name): unlink(directory.path + "/" + name)
                }
            }
            try state.upgrade(current: 3, steps: steps) { Issue.record("\($0)") }
            #expect(directory.names.sorted() == ["d", "state-format"], "after \(done) actions")
            #expect(try FileContents.read(directory.path + "/d", limit: 10) == Array("a".utf8))
        }
    }
}
