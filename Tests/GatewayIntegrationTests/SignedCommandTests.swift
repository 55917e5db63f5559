import Glibc
import SystemIO
import TestSupport
import Testing

/// Commands to a real gateway through a real mosquitto, where a key says whose are obeyed.
@Suite(.timeLimit(.minutes(10))) struct SignedCommandTests {
    private static let root = "beacons/v1/s/b/1/g"
    private let directory: TemporaryDirectory
    private let secret: String

    init() throws {
        directory = try TemporaryDirectory()
        secret = try directory.write("commands.key", Array(0..<32))
    }

    private func run(_ arguments: [String]) async throws -> (status: Int32, output: [String], errorOutput: [String]) {
        try await ChildProcess.run(BuiltProgram.path("beacon-gateway"), arguments)
    }

    private func sign(_ name: String, _ further: String...) async throws -> String {
        let result = try await run(
            ["sign-command", "--key-file", secret, "--gateway", "s/b/1/g", name] + further)
        #expect(result.status == 0, "\(result.errorOutput)")
        #expect(result.errorOutput == ["topic: \(Self.root)/command/\(name)"])
        return try #require(result.output.first)
    }

    private func audit() -> [String] {
        let bytes = (try? FileContents.read(directory.path + "/audit.jsonl", limit: 1 << 20)) ?? []
        return String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
    }

    @Test func `A gateway with a key obeys what its operator signed, once, and nobody else`() async throws {
        let key = try await run(["command-key", "--key-file", secret, "s/b/1/g"])
        #expect(key.status == 0 && key.output.count == 1)
        let file = try directory.write("gateway-commands.key", (key.output.first ?? "") + "\n")
        try await TestBroker.with { broker in
            let configuration = try directory.writeConfiguration(
                brokerPort: broker.port, further: "[commands]\nkey-file = \"\(file)\"")
            let start = {
                try ChildProcess(
                    BuiltProgram.path("beacon-gateway"),
                    ["run", "--config", configuration, "--simulated-reports", "10"])
            }
            let received = try await broker.subscribe(to: Self.root + "/#")
            var daemon = try start()
            // Until then nothing on the topics of commands reaches it.
            _ = await broker.log(containing: "Sending SUBACK to bg_s_b_1_g")
            try await broker.publish(Self.root + "/command/provision", #"{"correlation":"forged"}"#)
            let refused = await received.first { $0.contains("/reply/provision ") }
            #expect(refused?.contains("is not signed") == true, "\(refused ?? "-")")

            // A run obeys what was said more than 5 s after its start.
            try await Task.sleep(for: .seconds(6))
            let command = try await sign("provision", "--correlation", "mine")
            try await broker.publish(Self.root + "/command/provision", command)
            let reply = await received.first { $0.contains("/reply/provision ") }
            #expect(reply?.contains(#""correlation":"mine","ok":true"#) == true, "\(reply ?? "-")")

            // Moved to another command, then repeated: the first isn't obeyed, the second only answered.
            try await broker.publish(Self.root + "/command/rescan", command)
            try await broker.publish(Self.root + "/command/provision", command)
            let again = await received.first { $0.contains("/reply/provision ") }
            #expect(again == reply)
            #expect(
                audit().filter { $0.contains(#""action":"command-provision""#) && $0.contains(#""ok":true"#) }.count
                    == 1)
            #expect(!audit().contains { $0.contains(#""action":"command-rescan""#) && $0.contains(#""ok":true"#) })

            // A broker that kept it brings it to the next run.
            daemon.send(signal: SIGTERM)
            #expect(await daemon.exitStatus() == 0)
            daemon = try start()
            _ = await broker.log(containing: "Sending SUBACK to bg_s_b_1_g")
            try await broker.publish(Self.root + "/command/provision", command)
            let late = await received.first { $0.contains("/reply/provision ") }
            #expect(late?.contains(#""ok":false"#) == true, "\(late ?? "-")")
            try await Task.sleep(for: .seconds(6))
            let fresh = try await sign("provision")
            try await broker.publish(Self.root + "/command/provision", fresh)
            let done = await received.first { $0.contains("/reply/provision ") }
            #expect(done?.contains(#""ok":true"#) == true, "\(done ?? "-")")
            daemon.send(signal: SIGTERM)
            #expect(await daemon.exitStatus() == 0)
        }
    }

    @Test(
        "Whoever signs learns what can't be right before it is sent",
        arguments: [
            (["sign-command", "--gateway", "s/b/1", "reset", "--module", "m"], "SITE/BUILDING/FLOOR/GATEWAY"),
            (["sign-command", "--gateway", "s/b/1/g", "reset"], "specify a module"),
            (["sign-command", "--gateway", "s/b/1/g", "dance"], "there is no command dance"),
            (["command-key", "s/b/1/G"], "SITE/BUILDING/FLOOR/GATEWAY"),
        ])
    func usage(arguments: [String], text: String) async throws {
        let result = try await run([arguments[0], "--key-file", secret] + arguments.dropFirst())
        #expect(result.status == 64 && result.errorOutput.contains { $0.contains(text) }, "\(result.errorOutput)")
    }

    @Test func `A secret that is too short is refused`() async throws {
        let short = try directory.write("short.key", "abc")
        let result = try await run(["command-key", "--key-file", short, "s/b/1/g"])
        #expect(result.status == 78 && result.errorOutput.first?.contains("3 bytes") == true, "\(result.errorOutput)")
    }

    @Test func `A signed replay is the replay with a tag on each line, which an import wants to see`() async throws {
        let golden = GoldenReplayTests.directory
        let site = try directory.write("site.key", Array(1..<33))
        let matcher = try directory.write(
            "matcher.toml",
            """
            [store]
            location = "\(directory.path)/store.sqlite"
            [signing]
            key-files = ["\(site)"]
            """)
        let program = BuiltProgram.path("beacon-matcher")
        let key = try await ChildProcess.run(
            program, ["gateway-key", "lab/virtual/0/golden", "--config", matcher])
        #expect(key.status == 0 && key.output.first?.count == 64, "\(key.errorOutput)")
        _ = try directory.write("signing.key", (key.output.first ?? "") + "\n")
        _ = try directory.write(
            "pseudonym.key", try FileContents.read(golden + "/pseudonym.key", limit: 1000))
        let tables = try FileContents.read(golden + "/gateway.toml", limit: 10_000)
        let configuration = try directory.write(
            "gateway.toml", tables + Array("\n[signing]\nkey-file = \"signing.key\"\n".utf8))
        let replay = try await run(["replay", golden + "/visit.btsnoop", "--config", configuration])
        #expect(replay.status == 0, "\(replay.errorOutput)")
        let expected = String(
            decoding: try FileContents.read(golden + "/visit.jsonl", limit: 1_000_000), as: UTF8.self
        ).split(separator: "\n").map(String.init)
        #expect(replay.output.map { String($0.dropLast(32)) + "}" } == expected)
        #expect(replay.output.allSatisfy { $0.dropLast(24).hasSuffix(#","tag":""#) })

        let last = try #require(replay.output.last)
        let time = try #require(last.firstRange(of: #""time":""#)?.upperBound)
        let asOf = String(last[time...].prefix(19)) + "Z"
        func imported(_ lines: [String]) async throws -> (status: Int32, output: [String], errorOutput: [String]) {
            let file = try directory.write("records.jsonl", lines.map { $0 + "\n" }.joined())
            return try await ChildProcess.run(
                program, ["import", file, "--config", matcher, "--as-of", asOf])
        }
        let unsigned = try await imported(expected)
        #expect(unsigned.status == 65 && unsigned.output.first?.hasPrefix("0 records") == true, "\(unsigned)")
        #expect(unsigned.errorOutput.contains { $0.contains("is not signed") }, "\(unsigned.errorOutput)")
        var forged = replay.output
        forged[0] = forged[0].replacing(#""historical":false"#, with: #""historical":true"#)
        let mixed = try await imported(forged)
        #expect(mixed.status == 65 && mixed.output.first?.hasPrefix("\(forged.count - 1) records") == true, "\(mixed)")
        #expect(
            mixed.errorOutput.contains { $0.hasPrefix("line 1: is not signed by its gateway") }, "\(mixed.errorOutput)")
        let all = try await imported(replay.output)
        #expect(all.status == 0 && all.output.first?.hasPrefix("\(forged.count) records") == true, "\(all)")
    }
}
