import BeaconModel
import Glibc
import Publishing
import RecordContract
import RecordOutbox
import SystemIO
import TestSupport
import Testing

/// `outbox` as a person runs it, on the outbox of a gateway that isn't there.
@Suite(.timeLimit(.minutes(10))) struct OutboxCommandTests {
    private let directory: TemporaryDirectory
    private let configuration: String

    init() throws {
        directory = try TemporaryDirectory()
        configuration = try directory.writeConfiguration(brokerPort: 1883)
    }

    private func run(_ arguments: [String]) async throws -> (status: Int32, output: [String], errorOutput: [String]) {
        try await ChildProcess.run(
            BuiltProgram.path("beacon-gateway"), ["outbox"] + arguments + ["--config", configuration])
    }

    /// Four records: one two days old, three of now.
    private func fill() async throws -> Outbox {
        let now = ClockReading.now()
        let old = now + .seconds(-172_800)
        let outbox = try await Outbox.open(directory.path + "/outbox.db", rules: OutboxRules(), now: old)
        let kinds: [OutboxPriority] = [.updated, .updated, .started, .ended]
        for (index, kind) in kinds.enumerated() {
            let payload = Array("{\"historical\":false,\"sequence\":\(index + 1)}".utf8)
            let record = OutboxRecord(
                topic: "t/\(index)", priority: kind,
                position: RecordPosition(boot: 7, sequence: UInt64(index + 1)), payload: payload)
            await outbox.append([record], at: index == 0 ? old : now)
        }
        return outbox
    }

    @Test("status says how many records of which kind wait, how old and how large they are, also while it is in use")
    func status() async throws {
        let outbox = try await fill()
        let (status, output, errors) = try await run(["status"])
        #expect(status == 0, "\(errors)")
        #expect(output.contains("records     4"), "\(output)")
        #expect(output.contains("updated     2"), "\(output)")
        #expect(output.contains("readings    0"), "\(output)")
        #expect(output.contains("oldest      48 h old"), "\(output)")
        #expect(output.contains { $0.hasPrefix("size        ") && $0.contains(" of 256.0 MB, 0.0 %") }, "\(output)")
        await outbox.close()
    }

    @Test("status --json is one object")
    func statusInJSON() async throws {
        await (try fill()).close()
        let (status, output, _) = try await run(["status", "--json"])
        #expect(status == 0)
        #expect(output.count == 1)
        let summary = try JSON.decode(Summary.self, from: Array((output.first ?? "").utf8))
        #expect(summary.records == 4)
        #expect(summary.ended == 1)
        #expect(summary.oldest == RecordPosition(boot: 7, sequence: 1))
        #expect(summary.confirm == "broker")
    }

    private struct Summary: Decodable {
        var records: Int
        var ended: Int
        var oldest: RecordPosition
        var confirm: String
    }

    @Test("export writes the records in their order, as they would be sent")
    func export() async throws {
        let outbox = try await fill()
        let expected = (1...4).map { "{\"historical\":true,\"sequence\":\($0)}" }
        let printed = try await run(["export"])
        #expect(printed.status == 0)
        #expect(printed.output == expected)
        #expect(printed.errorOutput == ["4 records"])
        let file = directory.path + "/records.jsonl"
        #expect(try await run(["export", "--output", file]).status == 0)
        let written = try FileContents.read(file, limit: 10_000)
        #expect(written == Array((expected.joined(separator: "\n") + "\n").utf8))
        await outbox.close()
    }

    @Test(
        "export leaves out what is no JSON object in one line, and says so; a terminal obeys nothing of what it writes",
        arguments: [
            "\u{1B}]2;owned\u{7}\n{\"forged\":1}", "{\"a\":1}\n{\"forged\":1}", "{\"a\":\r1}", "{", "[1]", "", "\"a\"",
            "{\"a\":1} {\"forged\":1}",
        ])
    func exportOfOthers(payload: String) async throws {
        let now = ClockReading.now()
        let outbox = try await Outbox.open(directory.path + "/outbox.db", rules: OutboxRules(), now: now)
        for (index, text) in ["{\"id\":\"\u{9B}31m\u{E4}\"}", payload].enumerated() {
            let position = RecordPosition(boot: 7, sequence: UInt64(index + 1))
            await outbox.append(
                [OutboxRecord(topic: "t", priority: .started, position: position, payload: Array(text.utf8))], at: now)
        }
        await outbox.close()
        let printed = try await run(["export"])
        #expect(printed.status == 0)
        #expect(printed.output == ["{\"id\":\"\\u009b31m\\u00e4\"}"])
        #expect(printed.errorOutput == ["1 records; 1 damaged ones were skipped"])
        let file = directory.path + "/records.jsonl"
        #expect(try await run(["export", "--output", file]).status == 0)
        let written = try FileContents.read(file, limit: 10_000)
        #expect(written == Array("{\"id\":\"\u{9B}31m\u{E4}\"}\n".utf8))
    }

    @Test("purge deletes what is older than asked, and says how many are gone")
    func purge() async throws {
        await (try fill()).close()
        let (status, output, errors) = try await run(["purge", "--before", "24h", "--yes"])
        #expect(status == 0, "\(errors)")
        #expect(output == ["1 record deleted: 1 updated"])
        #expect(try await run(["export"]).errorOutput == ["3 records"])
        #expect(
            try await run(["purge", "--all", "--yes"]).output == ["3 records deleted: 1 updated, 1 started, 1 ended"])
        #expect(try await run(["status"]).output.contains("records     0"))
    }

    @Test("purge in a pipe deletes nothing without --yes")
    func purgeWithoutYes() async throws {
        await (try fill()).close()
        let (status, _, errors) = try await run(["purge", "--all"])
        #expect(status == 64)
        #expect(errors.contains { $0.contains("--yes") }, "\(errors)")
        #expect(try await run(["export"]).errorOutput == ["4 records"])
    }

    @Test("purge is refused while a gateway has the state directory, with what to do")
    func purgeInUse() async throws {
        await (try fill()).close()
        let lock = open(directory.path + "/lock", O_RDWR | O_CREAT | O_CLOEXEC, 0o644)
        #expect(flock(lock, LOCK_EX | LOCK_NB) == 0)
        let (status, _, errors) = try await run(["purge", "--all", "--yes"])
        close(lock)
        #expect(status == 69)
        #expect(errors.contains { $0.contains("stop the gateway") }, "\(errors)")
        #expect(try await run(["export"]).errorOutput == ["4 records"])
    }

    @Test("purge wants to be told what")
    func purgeWhat() async throws {
        #expect(try await run(["purge", "--yes"]).status == 64)
        #expect(try await run(["purge", "--yes", "--all", "--before", "1h"]).status == 64)
    }

    @Test("Without an outbox one line says so", arguments: [["status"], ["export"], ["purge", "--all", "--yes"]])
    func nothing(_ arguments: [String]) async throws {
        let (status, output, errors) = try await run(arguments)
        #expect(status == 0)
        #expect(output.isEmpty)
        #expect(errors.count == 1)
        #expect(errors.first?.hasPrefix("there is no outbox \(directory.path)/outbox.db") == true)
    }

    @Test(
        "Of an outbox whose database is gone and whose other files tell of records it says so, with status 65",
        arguments: [["status"], ["status", "--json"], ["export"], ["purge", "--all", "--yes"]])
    func missing(_ arguments: [String]) async throws {
        let outbox = try await fill()
        unlink(directory.path + "/outbox.db")
        let (status, output, errors) = try await run(arguments)
        #expect(status == 65)
        #expect(output.isEmpty)
        let text = errors.joined(separator: " ")
        #expect(text.contains("outbox.db is missing or empty"), "\(errors)")
        #expect(text.contains("according to outbox.db.state, it had 4 records"), "\(errors)")
        #expect(text.contains("start the gateway"), "\(errors)")
        await outbox.close()
    }

    @Test("Outside the service its secrets aren't needed, but to connect; then it is said how to get them")
    func withheldSecrets() async throws {
        let file = try directory.write(
            "confidential.toml",
            """
            [place]
            site = "s"
            building = "b"
            floor = "1"
            gateway = "g"
            [mqtt]
            username = "gw"
            password-file = "credential:mqtt-password"
            [beacons]
            uuids = ["e2c56db5-dffb-48d2-b060-d0f5a71096e0"]
            [state]
            directory = "\(directory.path)"
            """)
        let program = BuiltProgram.path("beacon-gateway")
        let status = try await ChildProcess.run(program, ["outbox", "status", "--config", file])
        #expect(status.status == 0, "\(status)")
        let check = try await ChildProcess.run(program, ["run", "--check", "--config", file])
        #expect(check.status == 0, "\(check)")
        #expect(check.errorOutput.first?.hasPrefix("note: mqtt.password-file was not checked") == true, "\(check)")
        let tail = try await ChildProcess.run(program, ["tail", "--config", file])
        #expect(tail.status == 78)
        #expect(tail.errorOutput.contains { $0.contains("LoadCredential=mqtt-password:FILE") }, "\(tail)")
        let doctor = try await ChildProcess.run(program, ["doctor", "--no-measure", "--config", file])
        #expect(doctor.status != 78, "\(doctor)")
        #expect(doctor.output.contains { $0.contains("LoadCredential=mqtt-password:FILE") }, "\(doctor)")
        let daemon = try await ChildProcess.run(program, ["run", "--config", file])
        #expect(daemon.status == 78, "\(daemon)")
    }
}
