import RecordContract
import Testing

/// The usage of all commands, and what they print of themselves.
@Suite(.timeLimit(.minutes(10))) struct CommandTests {
    @Test(
        "Wrong usage ends with status 64 and a hint",
        arguments: [
            ["provision"], ["provision", "--port", "x", "--uuid", "nonsense", "--major", "1", "--minor", "2"],
            ["provision", "--port", "x"] + GatewayProgram.identity + ["--interval", "5ms"],
            ["replay", "x", "--publish"],
            ["emulate", "esp32"], ["provision", "--port", "x", "--plan"], ["provision", "--inventory", "x.csv"],
            ["provision", "--inventory", "x.csv", "--plan"] + GatewayProgram.identity, ["verify"],
            ["scan", "--adapter", "wlan0"],
            ["scan", "--replay", "x", "--adapter", "hci1"], ["scan", "--replay", "x", "--duration", "1s"],
            ["record", "y", "--replay", "x", "--path", "raw"], ["nonsense"],
        ])
    func usage(arguments: [String]) async throws {
        let (status, _, errors) = try await GatewayProgram.run(arguments)
        #expect(status == 64, "\(errors)")
        #expect(!errors.isEmpty)
    }

    @Test("Every command has a help that shows its options")
    func help() async throws {
        let commands = [
            "run", "modules", "provision", "verify", "scan", "replay", "emulate", "firmware", "export-script", "module",
            "schema", "tail", "demo",
        ]
        for command in commands {
            let (status, output, _) = try await GatewayProgram.run([command, "--help"])
            #expect(status == 0)
            #expect(output.contains { $0.hasPrefix("OVERVIEW: ") } && output.contains("OPTIONS:"), "\(command)")
        }
    }

    @Test("schema --json lists the messages of the contract with their topics, one a line")
    func schemas() async throws {
        struct Document: Decodable, Equatable {
            var name, topic, sender, version: String
            var qos: Int
            var isRetained: Bool
        }
        let (status, output, _) = try await GatewayProgram.run(["schema", "--json"])
        #expect(status == 0)
        let documents = try output.map { try JSON.decode(Document.self, from: Array($0.utf8)) }
        #expect(documents.map(\.name) == Contract.all.map(\.name))
        let stored = Document(
            name: "stored", topic: "stored", sender: "consumer",
            version: "\(Contract.version).\(Contract.revision)", qos: 1, isRetained: true)
        #expect(documents.contains(stored), "\(output)")
        #expect(try await GatewayProgram.run(["schema", "interaction", "--json"]).status == 64)
    }
}
