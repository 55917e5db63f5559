import Glibc
import SystemIO
import TestSupport
import TestValues
import Testing

/// `tail` with a real broker.
@Suite("tail", .timeLimit(.minutes(10)))
struct TailCommandTests {
    private static let program = BuiltProgram.path("beacon-gateway")
    private static let topic = "beacons/v1/lab/virtual/0/golden/beacon/b1e5c0de-0a4d-4f6e-9c3a-7d2f18e65401/1/1/"

    private func records() throws -> [String] {
        let bytes = try FileContents.read(GoldenReplayTests.directory + "/visit.jsonl", limit: 1_000_000)
        return String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
    }

    private func tail(_ broker: TestBroker, _ arguments: String...) async throws -> ChildProcess {
        let process = try ChildProcess(
            Self.program, ["tail", "--host", "127.0.0.1", "--port", "\(broker.port)"] + arguments)
        await broker.confirmSubscription()
        return process
    }

    @Test("In a pipe each record is its JSON in a line; Ctrl-C ends it with how many there were, and status 0")
    func pipe() async throws {
        try await TestBroker.with { broker in
            let process = try await tail(broker)
            let records = try records()
            for record in records { try await broker.publish(Self.topic + "interaction", record) }
            try await broker.publish(Self.topic + "interaction", "{")
            try await broker.publish("beacons/v1/lab/virtual/0/golden/health", "{}")
            for record in records { #expect(await process.output.first() == record) }
            #expect(await process.errorOutput.first { $0.contains("1 bytes that are not JSON") } != nil)
            process.send(signal: SIGINT)
            #expect(await process.errorOutput.first() == "\(records.count) records, 1 message that is not a record")
            #expect(await process.exitStatus() == 0)
        }
    }

    // Only payloads had been counted: 1.67 GB of topics in 12 s, and Ctrl-C wasn't obeyed while they were shown.
    @Test func `A flood of long topics is lost rather than kept, and Ctrl-C ends it`() async throws {
        let topic = Array("beacons/v1/s/b/1/h/beacon/x/1/1/interaction".utf8)
        let longTopic = topic + [UInt8](repeating: UInt8(ascii: "x"), count: 60_000 - topic.count)
        // A message of QoS 0 of 60,003 bytes, whose length is in 7 bits each, and without a payload but one byte.
        let packet: [UInt8] = [0x30, 0xE3, 0xD4, 0x03, 0xEA, 0x60] + longTopic + [0x78]
        let broker = try SilentBroker(floods: true, with: packet, answersSubscriptions: true)
        defer { broker.close() }
        let process = try ChildProcess(
            Self.program, ["tail", "--host", "127.0.0.1", "--port", "\(broker.port)", "--json"])
        guard await eventually(within: .seconds(300), { broker.flooded > 220_000_000 }) else {
            process.send(signal: SIGKILL)
            Issue.record("\(broker.flooded) bytes; \(await process.errorOutput.all())")
            return
        }
        let status = try FileContents.read("/proc/\(process.identifier)/status", limit: 65_536)
        let peak = String(decoding: status, as: UTF8.self).split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
        let kilobytes = try #require(peak?.split(separator: " ").dropFirst().first.flatMap { Int($0) })
        // A sanitizer's own memory is in this figure: AddressSanitizer alone keeps 256 MB that were freed.
        #expect(kilobytes < (Sanitizer.isPresent ? 600_000 : 180_000))
        process.send(signal: SIGINT)
        #expect(await process.exitStatus() == 0)
    }

    @Test("A gateway's records arrive as it publishes them")
    func gateway() async throws {
        try await TestBroker.with { broker in
            let directory = try TemporaryDirectory()
            let configuration = try directory.writeConfiguration(
                brokerPort: broker.port, uuid: "7a1d5f0c-3b62-4e8e-9d24-5c0be9f1a6d3")
            // By the gateway's own configuration, but with a session of its own.
            let process = try ChildProcess(Self.program, ["tail", "--config", configuration])
            await broker.confirmSubscription()
            let gateway = try ChildProcess(
                Self.program, ["run", "--config", configuration, "--simulated-reports", "20"])
            #expect(await process.output.first { $0.contains("interaction.started") } != nil)
            gateway.send(signal: SIGTERM)
            #expect(await process.output.first { $0.contains("interaction.ended") } != nil)
            #expect(await gateway.exitStatus() == 0)
            process.send(signal: SIGTERM)
            #expect(await process.exitStatus() == 0)
        }
    }

    @Test("In a terminal it is a table, coloured unless that isn't wanted, whatever is in the payloads")
    func terminal() async throws {
        try await TestBroker.with { broker in
            for variable in ["NO_COLOR=1", "NO_COLOR="] {
                let command = "\(variable) \(Self.program) tail --host 127.0.0.1 --port \(broker.port)"
                let process = try ChildProcess("script", ["-qec", command, "/dev/null"])
                await broker.confirmSubscription()
                try await broker.publish(Self.topic + "interaction", try #require(try records().first))
                try await broker.publish(Self.topic + "interaction", "\u{1B}[2J\u{1B}]0;x\u{7}")
                #expect(await process.output.first()?.hasPrefix("TIME (UTC)    RECORD ") == true)
                let first = await process.output.first() ?? ""
                // The columns that the width has no room for are below the row.
                let damaged = await process.output.first { $0.contains("no record on") } ?? ""
                #expect(first.contains("09:00:05.784  started    b1e5../1/1  "), "\(first)")
                #expect(damaged.contains("no record on \(Self.topic)interaction: "), "\(damaged)")
                let escapes = (first + damaged).filter { $0 == "\u{1B}" }.count
                #expect(escapes == (variable == "NO_COLOR=" ? 4 : 0))
                process.send(signal: SIGTERM)
                _ = await process.exitStatus()
            }
        }
    }

    @Test("When the broker is gone it says so, and goes on when it is back; Ctrl-C ends it in between too")
    func reconnects() async throws {
        let record = try #require(try records().first)
        let (port, process) = try await TestBroker.with { broker in
            let process = try await tail(broker)
            try await broker.publish(Self.topic + "interaction", record)
            #expect(await process.output.first() == record)
            return (broker.port, process)
        }
        #expect(await process.errorOutput.first { $0.contains("retrying in") } != nil)
        try await TestBroker.with(port: port) { broker in
            await broker.confirmSubscription()
            #expect(await process.errorOutput.first { $0 == "reconnected" } != nil)
            try await broker.publish(Self.topic + "interaction", record)
            #expect(await process.output.first() == record)
        }
        #expect(await process.errorOutput.first { $0.contains("retrying in") } != nil)
        process.send(signal: SIGINT)
        #expect(
            await process.errorOutput.first { $0.contains("records") }
                == "2 records; reconnected 1x")
        #expect(await process.exitStatus() == 0)
    }

    @Test("With --since-retained it begins with who is here, with --topic it shows those topics only")
    func options() async throws {
        try await TestBroker.with { broker in
            let presence =
                #"{"boot":1,"lastSeenAt":"2026-11-02T09:00:00.000Z","present":true,"since":"2026-11-02T09:00:00.000Z"}"#
            try await broker.publish(Self.topic + "presence", presence, isRetained: true)
            let process = try await tail(broker, "--since-retained", "--topic", "beacons/v1/lab/#")
            let record = try #require(try records().first)
            try await broker.publish("beacons/v1/elsewhere/b/1/g/beacon/u/1/1/interaction", record)
            try await broker.publish(Self.topic + "interaction", record)
            #expect(await process.output.first() == #"{"presence":\#(presence),"topic":"\#(Self.topic)presence"}"#)
            #expect(await process.output.first() == record)
            process.send(signal: SIGINT)
            #expect(await process.errorOutput.all().last == "1 record")
        }
    }

    @Test("It comes as a user, whose password is in a file; a wrong one is refused with 69")
    func password() async throws {
        let directory = try TemporaryDirectory()
        let users = directory.path + "/users"
        let made = try await ChildProcess.run("mosquitto_passwd", ["-b", "-c", users, "analyst_anna", "right"])
        try #require(made.status == 0, "\(made.errorOutput)")
        try await TestBroker.with(configuration: "user root\npassword_file \(users)") { broker in
            let right = try directory.write("right", "right\n")
            let wrong = try directory.write("wrong", "wrong\n")
            let process = try await tail(broker, "--username", "analyst_anna", "--password-file", right)
            process.send(signal: SIGINT)
            #expect(await process.exitStatus() == 0)
            let refused = try await ChildProcess.run(
                Self.program,
                [
                    "tail", "--host", "127.0.0.1", "--port", "\(broker.port)", "--username", "analyst_anna",
                    "--password-file", wrong,
                ])
            #expect(refused.status == 69)
            #expect(refused.errorOutput.first?.contains("refused") == true, "\(refused.errorOutput)")
        }
    }

    @Test func `An analyst of users.py sees records where clients choose their identifiers`() async throws {
        try await DeployedBroker.with { broker in
            let process = try ChildProcess(
                Self.program, ["tail"] + Self.coming(to: broker, as: "analyst_reports"))
            _ = await broker.log(until: "Sending SUBACK to analyst_reports")
            let record = try #require(try records().first)
            try await broker.publish(Self.topic + "interaction", as: DeployedBroker.observer, record)
            #expect(await process.output.first() == record)
            process.send(signal: SIGINT)
            #expect(await process.exitStatus() == 0)
        }
    }

    @Test func `An operator of users.py sees the fleet where clients choose their identifiers`() async throws {
        try await DeployedBroker.with { broker in
            let result = try await ChildProcess.run(
                Self.program, ["fleet", "status"] + Self.coming(to: broker, as: "operator_desk"))
            #expect(result.status == 0 && result.output.last?.hasPrefix("0 gateways") == true, "\(result)")
        }
    }

    @Test func `A gateway's user is refused there, so that its session goes on`() async throws {
        try await DeployedBroker.with { broker in
            let result = try await ChildProcess.run(Self.program, ["tail"] + Self.coming(to: broker, as: "s/b/1/g"))
            #expect(result.status == 69, "\(result)")
            #expect(result.errorOutput.first?.contains("refused") == true, "\(result)")
        }
    }

    /// How `tail` comes as a user to the listener of matchers.
    private static func coming(to broker: DeployedBroker, as user: String) -> [String] {
        [
            "--host", "127.0.0.1", "--port", "\(broker.port(of: .matchers))", "--username", user,
            "--password-file", broker.directory.path + "/secret",
        ]
    }

    @Test("With --ca-file it is encrypted; a certificate of another authority is refused with 69, and it says why")
    func encryption() async throws {
        let certificates = try await TestCertificates()
        let lines = { (server: TestCertificates.Pair) in
            """
            allow_anonymous true
            user root
            cafile \(certificates.authority)
            certfile \(server.certificate)
            keyfile \(server.key)
            """
        }
        let server = try await certificates.server()
        try await TestBroker.with(configuration: lines(server)) { broker in
            let process = try await tail(broker, "--ca-file", certificates.authority)
            process.send(signal: SIGINT)
            let (status, errors) = (await process.exitStatus(), await process.errorOutput.all())
            #expect(status == 0, "\(errors)")
        }
        let stranger = try await certificates.selfSignedServer()
        try await TestBroker.with(configuration: lines(stranger)) { broker in
            let refused = try await ChildProcess.run(
                Self.program,
                ["tail", "--host", "127.0.0.1", "--port", "\(broker.port)", "--ca-file", certificates.authority])
            #expect(refused.status == 69)
            #expect(refused.errorOutput.first?.contains("self-signed") == true, "\(refused.errorOutput)")
        }
    }

    @Test("A reader that goes away ends it without an error")
    func closedPipe() async throws {
        try await TestBroker.with { broker in
            let process = try ChildProcess(
                "bash",
                [
                    "-c",
                    "set -o pipefail; \(Self.program) tail --host 127.0.0.1 --port \(broker.port) 2>/dev/null | head -n 1",
                ])
            await broker.confirmSubscription()
            let record = try #require(try records().first)
            try await broker.publish(Self.topic + "interaction", record)
            #expect(await process.output.first() == record)
            // It learns that by a write after the end of `head`, whenever that is.
            let publisher = Task {
                while !Task.isCancelled { try await broker.publish(Self.topic + "interaction", record) }
            }
            #expect(await process.exitStatus() == 0)
            publisher.cancel()
            _ = await publisher.result
        }
    }

    @Test("Ctrl-C before the broker has confirmed the subscription is no failure")
    func earlyInterruption() async throws {
        let broker = try SilentBroker()
        defer { broker.close() }
        let process = try ChildProcess(Self.program, ["tail", "--host", "127.0.0.1", "--port", "\(broker.port)"])
        #expect(await eventually { broker.subscriptions == 1 })
        process.send(signal: SIGINT)
        #expect(await process.exitStatus() == 0)
    }

    @Test("Without a broker it ends with 69, with a wrong option with 64, and says what to do")
    func failures() async throws {
        let port = try await TestBroker.with { $0.port }
        let (status, _, errors) = try await ChildProcess.run(
            Self.program, ["tail", "--host", "127.0.0.1", "--port", "\(port)"])
        #expect(status == 69)
        #expect(errors.first?.hasPrefix("error: broker 127.0.0.1:\(port)") == true, "\(errors)")
        #expect(errors.contains { $0.hasPrefix("  what to do: ") })
        for wrong in [
            ["--topic", "a/#/b"], ["--config", "x", "--port", "1"], ["--password-file", "x"], ["--port", "0"],
        ] {
            #expect(try await ChildProcess.run(Self.program, ["tail"] + wrong).status == 64, "\(wrong)")
        }
        let unreadable = try await ChildProcess.run(Self.program, ["tail", "--ca-file", "/no/such/file"])
        #expect(unreadable.status != 0)
        #expect(unreadable.errorOutput.first?.contains("/no/such/file") == true, "\(unreadable.errorOutput)")
    }
}
