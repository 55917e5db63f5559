import ModuleDialogues
import SystemIO
import TestSupport
import Testing

/// `export-script` as a person runs it; what is in the scripts is tested beside their generator.
@Suite(.timeLimit(.minutes(10))) struct ExportScriptTests {
    private func run(_ arguments: [String]) async throws -> (status: Int32, output: [String], errorOutput: [String]) {
        try await ChildProcess.run(BuiltProgram.path("beacon-gateway"), ["export-script"] + arguments)
    }

    private static let beacon = ["--uuid", "e2c56db5-dffb-48d2-b060-d0f5a71096e0", "--major", "1", "--minor", "2"]

    private func contents(_ path: String) throws -> String {
        String(decoding: try FileContents.read(path, limit: 100_000), as: UTF8.self)
    }

    @Test("One script goes to standard output or to a file, the same bytes")
    func single() async throws {
        let directory = try TemporaryDirectory()
        let arguments = ["--format", "chat", "provision"] + Self.beacon
        let (status, lines, errors) = try await run(arguments)
        #expect(status == 0, "\(errors)")
        let path = directory.path + "/door.chat"
        #expect(try await run(arguments + ["--output", path]).status == 0)
        let expected = ScriptedDialogue.rs9116Provision.file(.chat).text
        #expect(try contents(path) == expected)
        #expect(lines.map { $0 + "\n" }.joined() == expected)
    }

    @Test("What a script says of how it was made makes it again")
    func reproducible() async throws {
        let (_, lines, _) = try await run(
            [
                "--format", "teraterm", "--kind", "hm10", "provision", "--measured-power", "-70", "--interval",
                "152.5ms",
            ]
                + ["--transmit-power", "3"] + Self.beacon)
        let start = try #require(lines.firstIndex { $0.contains("beacon-gateway export-script") })
        let command = lines[start..<(start + 3)].flatMap { $0.split(separator: " ") }
            .filter { $0 != ";" && $0 != "\\" }.dropFirst(2)
        #expect(try await run(command.map(String.init)).output == lines)
    }

    @Test("An inventory gives a pair of scripts for each of its modules, by its name and kind")
    func inventory() async throws {
        let directory = try TemporaryDirectory()
        let path = try directory.write(
            "floor.csv",
            """
            name,module,kind,uuid,major,minor
            door,any,rs9116,e2c56db5-dffb-48d2-b060-d0f5a71096e0,1,2
            window,any,hm10,e2c56db5-dffb-48d2-b060-d0f5a71096e0,1,3
            """)
        let output = try TemporaryDirectory()
        let (status, _, errors) = try await run(["--inventory", path, "--output-directory", output.path])
        #expect(status == 0, "\(errors)")
        #expect(output.names.sorted() == ["door.chat", "door.ttl", "window.chat", "window.ttl"])
        #expect(
            try contents(output.path + "/door.chat") == ScriptedDialogue.rs9116Provision.file(.chat, name: "door").text)
        #expect(try contents(output.path + "/window.ttl").contains("AT+MINO0x0003"))
    }

    @Test("All examples are written to a directory")
    func all() async throws {
        let output = try TemporaryDirectory()
        #expect(try await run(["--all", "--output-directory", output.path]).status == 0)
        #expect(output.names.sorted() == ScriptedDialogue.examples.map(\.name).sorted())
    }

    @Test(
        "Wrong usage ends with status 64 and a hint",
        arguments: [
            [], ["--format", "chat"], ["--format", "chat", "provision"], ["--format", "kermit", "version"],
            ["--format", "chat", "version"] + beacon, ["--format", "chat", "--kind", "hm10", "stop"],
            ["--format", "chat", "--kind", "hm10", "provision", "--interval", "120ms"] + beacon,
            ["--format", "chat", "provision", "--transmit-power", "32"] + beacon, ["--all"],
            ["--all", "--output-directory", "x", "version"],
            ["--format", "chat", "version", "--output-directory", "x"],
        ])
    func usage(arguments: [String]) async throws {
        let (status, _, errors) = try await run(arguments)
        #expect(status == 64, "\(errors)")
        #expect(!errors.isEmpty)
    }

    @Test("A file that isn't there, or is wrong, ends with its own status and says which")
    func files() async throws {
        let (status, _, errors) = try await run(["--inventory", "/no/such.csv", "--output-directory", "/tmp"])
        #expect(status != 0 && status != 64)
        #expect(errors.contains { $0.contains("/no/such.csv") }, "\(errors)")
    }
}
