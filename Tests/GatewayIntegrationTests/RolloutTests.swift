import Glibc
import RecordContract
import SystemIO
import TestSupport
import Testing

/// Configurations from afar: the built program, a real mosquitto, and a simulated radio.
@Suite(.timeLimit(.minutes(10))) struct RolloutTests {
    /// A run obeys commands from 1 s after its start on, of which 4 s are in the command.
    private func untilCommandsAreObeyed() async throws { try await Task.sleep(for: .seconds(2)) }

    @Test func `A configuration is tried in the same process, confirmed, and kept over restarts`() async throws {
        try await TestBroker.with { broker in
            let gateway = try RolloutFixture(brokerPort: broker.port)
            let lines = try await broker.subscribe(to: RolloutFixture.root + "/#")
            var daemon = try gateway.start()
            let own = try #require(await lines.state { $0.works })
            #expect(own.state == .local && own.obeys && own.revision == nil)
            try await untilCommandsAreObeyed()
            // As long as a configuration may be.
            var document = gateway.document(brokerPort: broker.port)
            document += String(repeating: "#", count: ConfigureMessage.longestConfiguration - document.utf8.count)
            try await gateway.send("configure", gateway.configure(document, correlation: "a"), by: broker)
            let reply = await lines.reply("a")
            #expect(reply.contains(#""ok":true"#), "\(reply)")

            let trial = try #require(await lines.state { $0.state == .trial && $0.works })
            #expect(trial.digest == ConfigurationDigest(of: Array(document.utf8)))
            #expect(trial.revision?.description == "4f2c9a1" && trial.boot > own.boot && trial.until != nil)
            #expect(ChildProcess.isRunning(daemon.identifier))
            let name = try FileContents.read("/proc/\(daemon.identifier)/comm", limit: 100)
            #expect(String(decoding: name, as: UTF8.self) == "beacon-gateway\n")
            try await untilCommandsAreObeyed()
            try await gateway.send("confirm", gateway.confirm(document, correlation: "b"), by: broker)
            // The state is published before the answer.
            #expect(await lines.state { $0.state == .accepted }?.boot == trial.boot)
            let confirmed = await lines.reply("b")
            #expect(confirmed.contains(#""ok":true"#), "\(confirmed)")

            daemon.send(signal: SIGTERM)
            #expect(await daemon.exitStatus() == 0)
            daemon = try gateway.start()
            let again = try #require(await lines.state { $0.works && $0.boot > trial.boot })
            #expect(again.state == .accepted && again.digest == trial.digest)
            #expect(
                gateway.auditActions().filter { $0.hasPrefix("configuration-") }
                    == ["configuration-trial", "configuration-accepted"])
            let check = try await GatewayProgram.run(["run", "--check", "--config", gateway.file])
            #expect(check.status == 0)
            #expect(check.errorOutput.contains { $0.contains("in use: revision 4f2c9a1") }, "\(check.errorOutput)")
            daemon.send(signal: SIGTERM)
            #expect(await daemon.exitStatus() == 0)
        }
    }

    @Test func `A broker that cannot be reached ends the trial by itself, and no record is lost`() async throws {
        try await TestBroker.with { broker in
            let gateway = try RolloutFixture(brokerPort: broker.port)
            let lines = try await broker.subscribe(to: RolloutFixture.root + "/#")
            let daemon = try gateway.start()
            var capture = Capture(lines: lines)
            let own = try #require(await capture.state { $0.works })
            try await untilCommandsAreObeyed()
            // Nobody listens there.
            let document = gateway.document(brokerPort: 1)
            try await gateway.send("configure", gateway.configure(document, trial: 10, correlation: "a"), by: broker)
            let returned = try #require(await capture.state { $0.state == .returned && $0.works })
            #expect(returned.digest == own.digest && returned.revision == nil)
            #expect(returned.returned?.digest == ConfigurationDigest(of: Array(document.utf8)))
            #expect(returned.reason == "it was not confirmed within 10 s")
            #expect(ChildProcess.isRunning(daemon.identifier))
            daemon.send(signal: SIGTERM)
            #expect(await daemon.exitStatus() == 0)
            await capture.read { $0.contains(#""state":"stopping""#) && $0.contains("\(returned.boot)") }
            // Of the run before, of that with the unreachable broker, and of the run after it.
            let boots = capture.sequences.keys.sorted()
            #expect(boots.count == 3 && boots.first == own.boot && boots.last == returned.boot, "\(boots)")
            for (boot, sequences) in capture.sequences {
                #expect(sequences.count > 2)
                #expect(sequences == Set(1...UInt64(sequences.count)), "boot \(boot): \(sequences.sorted())")
            }
        }
    }

    @Test func `Killed in a trial, a gateway tries once more, and then returns`() async throws {
        try await TestBroker.with { broker in
            let gateway = try RolloutFixture(brokerPort: broker.port)
            let lines = try await broker.subscribe(to: RolloutFixture.root + "/#")
            let first = try gateway.start()
            _ = try #require(await lines.state { $0.works })
            try await untilCommandsAreObeyed()
            let document = gateway.document(brokerPort: 1)
            try await gateway.send("configure", gateway.configure(document, correlation: "a"), by: broker)
            #expect(
                await first.errorOutput.first { $0.contains("configuration on trial") && $0.contains("start=1") } != nil
            )
            first.send(signal: SIGKILL)
            _ = await first.exitStatus()
            let second = try gateway.start()
            #expect(
                await second.errorOutput.first { $0.contains("configuration on trial") && $0.contains("start=2") }
                    != nil)
            second.send(signal: SIGKILL)
            _ = await second.exitStatus()
            let third = try gateway.start()
            let returned = try #require(await lines.state { $0.state == .returned && $0.works })
            #expect(returned.reason == "the program ended 2 times during the trial")
            #expect(gateway.auditActions().last == "configuration-returned")
            third.send(signal: SIGTERM)
            #expect(await third.exitStatus() == 0)
        }
    }

    @Test func `A candidate that can no longer be read is left at the start`() async throws {
        try await TestBroker.with { broker in
            let gateway = try RolloutFixture(brokerPort: broker.port)
            let secret = try gateway.directory.write("password", "secret\n")
            #expect(chmod(secret, 0o600) == 0)
            let lines = try await broker.subscribe(to: RolloutFixture.root + "/#")
            let first = try gateway.start()
            _ = try #require(await lines.state { $0.works })
            try await untilCommandsAreObeyed()
            let document = gateway.document(brokerPort: broker.port).replacing(
                "[mqtt]\n", with: "[mqtt]\nusername = \"g\"\npassword-file = \"\(secret)\"\n")
            try await gateway.send("configure", gateway.configure(document, correlation: "a"), by: broker)
            _ = try #require(await lines.state { $0.state == .trial && $0.works })
            first.send(signal: SIGKILL)
            _ = await first.exitStatus()
            #expect(unlink(secret) == 0)
            let second = try gateway.start()
            let returned = try #require(await lines.state { $0.state == .returned && $0.works })
            #expect(returned.reason?.contains("password-file") == true, "\(returned.reason ?? "-")")
            second.send(signal: SIGTERM)
            #expect(await second.exitStatus() == 0)
        }
    }

    @Test func `What is forged, repeated, too long or wrong changes nothing, and is answered with the reason`()
        async throws
    {
        try await TestBroker.with { broker in
            let gateway = try RolloutFixture(brokerPort: broker.port)
            let lines = try await broker.subscribe(to: RolloutFixture.root + "/#")
            let daemon = try gateway.start()
            let own = try #require(await lines.state { $0.works })
            try await untilCommandsAreObeyed()
            func refusal(_ payload: String, _ correlation: String) async throws -> String {
                try await gateway.send("configure", payload, by: broker)
                let reply = await lines.reply(correlation)
                #expect(reply.contains(#""ok":false"#), "\(reply)")
                // Refusals are answered at most once a second.
                try await Task.sleep(for: .milliseconds(1100))
                return reply
            }
            let document = gateway.document(brokerPort: broker.port)
            let other = try #require(SiteKey(secret: Array(1..<33))?.commandKey("s/b/1/g"))
            let forged = try await refusal(gateway.configure(document, correlation: "a", key: other), "")
            #expect(forged.contains("tag is invalid"), "\(forged)")
            let long = try await refusal(
                String(repeating: " ", count: ConfigureMessage.longest + 1), "")
            #expect(long.contains("at most \(ConfigureMessage.longest) are allowed"), "\(long)")
            let text = try await refusal(gateway.configure("not TOML", correlation: "b"), "b")
            #expect(text.contains("revision 4f2c9a1:1:"), "\(text)")
            let wrong = try await refusal(
                gateway.configure(
                    gateway.document(brokerPort: 0, further: "[state]\ndirectory = \"/tmp\""), correlation: "c"), "c")
            #expect(wrong.contains("revision 4f2c9a1:9:1: mqtt.port"), "\(wrong)")
            #expect(wrong.contains("state: cannot be set from afar"), "\(wrong)")

            // A broker that kept a command brings it to the run with the candidate, and to the one after that.
            let genuine = try gateway.configure(document, trial: 10, correlation: "d")
            try await gateway.send("configure", genuine, by: broker)
            let trial = try #require(await lines.state { $0.state == .trial && $0.works })
            #expect(trial.boot > own.boot)
            try await untilCommandsAreObeyed()
            try await gateway.send("configure", genuine, by: broker)
            let returned = try #require(await lines.state { $0.state == .returned && $0.works })
            try await gateway.send("configure", genuine, by: broker)
            let late = await lines.first { $0.contains("/reply/configure") && $0.contains("was started at") }
            #expect(late?.contains(#""ok":false"#) == true)
            daemon.send(signal: SIGTERM)
            #expect(await daemon.exitStatus() == 0)
            #expect(gateway.auditActions().filter { $0 == "configuration-trial" }.count == 1)
            #expect(returned.digest == own.digest)
        }
    }

    @Test func `The service manager is told of a reload and not of an end, and nothing of the run before stays open`()
        async throws
    {
        try await TestBroker.with { broker in
            let inbox = try DatagramInbox()
            let gateway = try RolloutFixture(brokerPort: broker.port)
            let lines = try await broker.subscribe(to: RolloutFixture.root + "/#")
            let daemon = try gateway.start(environment: ["NOTIFY_SOCKET": inbox.path, "WATCHDOG_USEC": "20000000"])
            #expect(await inbox.first { $0.hasPrefix("READY=1") } != nil)
            _ = try #require(await lines.state { $0.works })
            try await untilCommandsAreObeyed()
            let before = descriptors(daemon)
            let document = gateway.document(brokerPort: broker.port)
            try await gateway.send("configure", gateway.configure(document, correlation: "a"), by: broker)
            var messages: [String] = []
            #expect(
                await inbox.first { message in
                    messages.append(message)
                    return message.hasPrefix("READY=1")
                } != nil)
            #expect(messages.contains { $0.hasPrefix("RELOADING=1") })
            #expect(!messages.contains { $0.hasPrefix("STOPPING=1") })
            _ = try #require(await lines.state { $0.state == .trial && $0.works })
            let after = descriptors(daemon)
            #expect(after <= before + 2, "\(before) before, \(after) after")
            // The next run handles signals as the first one did.
            daemon.send(signal: SIGHUP)
            #expect(await daemon.errorOutput.first { $0.contains("configuration reloaded") } != nil)
            daemon.send(signal: SIGTERM)
            #expect(await inbox.first { $0.hasPrefix("STOPPING=1") } != nil)
            #expect(await daemon.exitStatus() == 0)
        }
    }

    private func descriptors(_ process: ChildProcess) -> Int {
        guard let directory = opendir("/proc/\(process.identifier)/fd") else { return 0 }
        defer { closedir(directory) }
        var count = 0
        while readdir(directory) != nil { count += 1 }
        return count
    }

    @Test func `A gateway whose own file forbids it goes back to that file, and refuses`() async throws {
        try await TestBroker.with { broker in
            let gateway = try RolloutFixture(brokerPort: broker.port)
            let lines = try await broker.subscribe(to: RolloutFixture.root + "/#")
            var daemon = try gateway.start()
            _ = try #require(await lines.state { $0.works })
            try await untilCommandsAreObeyed()
            let document = gateway.document(brokerPort: broker.port)
            try await gateway.send("configure", gateway.configure(document, correlation: "a"), by: broker)
            let trial = try #require(await lines.state { $0.state == .trial && $0.works })
            daemon.send(signal: SIGTERM)
            #expect(await daemon.exitStatus() == 0)
            let own = try FileContents.read(gateway.file, limit: 10_000)
            _ = try gateway.directory.write("gateway.toml", own + Array("\n[rollout]\nenabled = false\n".utf8))
            daemon = try gateway.start()
            let local = try #require(await lines.state { $0.boot > trial.boot && $0.works })
            #expect(local.state == .local && !local.obeys)
            try await untilCommandsAreObeyed()
            try await gateway.send("configure", gateway.configure(document, correlation: "b"), by: broker)
            let refused = await lines.reply("b")
            #expect(refused.contains("rollout.enabled = false"), "\(refused)")
            daemon.send(signal: SIGTERM)
            #expect(await daemon.exitStatus() == 0)
        }
    }

    /// What a subscriber is told, and the numbers of the records in it.
    private struct Capture {
        let lines: LineStream
        private(set) var sequences: [UInt64: Set<UInt64>] = [:]

        init(lines: LineStream) { self.lines = lines }

        mutating func state(where isWanted: (RolloutState) -> Bool) async -> RolloutState? {
            var found: RolloutState?
            await read { line in
                guard line.contains("/configuration {"), let brace = line.firstIndex(of: "{"),
                    let state = RolloutState(Array(line[brace...].utf8)), isWanted(state)
                else { return false }
                found = state
                return true
            }
            return found
        }

        mutating func read(until isLast: (String) -> Bool) async {
            var sequences = sequences
            _ = await lines.first { line in
                if line.contains(#""specversion""#),
                    let id = line.firstMatch(of: #/"id":"s/b/1/g/([0-9]+)/([0-9]+)"/#),
                    let boot = UInt64(id.1), let sequence = UInt64(id.2)
                {
                    sequences[boot, default: []].insert(sequence)
                }
                return isLast(line)
            }
            self.sequences = sequences
        }
    }
}
