import BeaconModel
import Glibc
import SystemIO
import TestSupport
import TestValues
import Testing

/// `setup` as an installer runs it, with a real broker and emulated modules.
@Suite(.timeLimit(.minutes(10))) struct SetupCommandTests {
    /// A gateway's files in a directory of their own.
    struct Site {
        let directory: TemporaryDirectory

        init() throws {
            directory = try TemporaryDirectory()
            try #require(mkdir(directory.path + "/mosquitto", 0o755) == 0)
            try #require(mkdir(directory.path + "/mosquitto/conf.d", 0o755) == 0)
            try #require(mkdir(directory.path + "/state", 0o700) == 0)
        }

        var configuration: String { directory.path + "/gateway.toml" }

        /// Arguments of `setup`, which touch nothing outside of the directory.
        var arguments: [String] {
            ["setup", "--config", configuration, "--no-measure", "--mosquitto", directory.path + "/mosquitto"]
        }

        /// Answers for a broker on this machine. There is no Bluetooth where tests run.
        func answers(_ port: UInt16, mqtt: String = "", further: String = "", keeping: String = "\"radio\"") -> String {
            """
            keep-anyway = [\(keeping)]
            [place]
            site = "campus"
            building = "main"
            floor = "1"
            gateway = "east"
            [mqtt]
            host = "127.0.0.1"
            port = \(port)
            \(mqtt.contains("tls") ? "" : "tls = false")
            \(mqtt.contains("create-user") ? "" : "create-user = false")
            \(mqtt)
            [beacons]
            uuids = ["e2c56db5-dffb-48d2-b060-d0f5a71096e0"]
            [state]
            directory = "\(directory.path)/state"
            \(further)
            """
        }

        func run(
            _ answers: String, _ more: [String] = []
        ) async throws -> (status: Int32, output: [String], errorOutput: [String]) {
            let file = try directory.write("answers.toml", answers)
            return try await GatewayProgram.run(arguments + ["--answers", file] + more)
        }

        func text(_ name: String = "gateway.toml") throws -> String {
            String(decoding: try FileContents.read(directory.path + "/" + name, limit: 100_000), as: UTF8.self)
        }
    }

    @Test func `An answers file gives a valid configuration, and the same answers change nothing`() async throws {
        let site = try Site()
        try await TestBroker.with { broker in
            let (status, output, errors) = try await site.run(site.answers(broker.port))
            // The doctor fails where there is no Bluetooth.
            #expect([0, 69].contains(status), "\(errors)")
            #expect(
                output.contains { $0.hasPrefix("ok       broker        127.0.0.1:\(broker.port) accepted") },
                "\(output)")
            #expect(output.contains { $0.hasPrefix("Verdict: ") })
            let check = try await GatewayProgram.run(["run", "--check", "--config", site.configuration])
            #expect(
                check.errorOutput.last?.hasSuffix("is valid: publishes below beacons/v1/campus/main/1/east/") == true)
            let text = try site.text()
            let again = try await site.run(site.answers(broker.port))
            #expect(again.output.contains("Nothing changes: \(site.configuration) is as answered."), "\(again)")
            #expect(try site.text() == text)
            #expect(!site.directory.names.contains { $0.contains(".bak-") })
        }
    }

    @Test func `Another answer changes one line, and the former file is kept`() async throws {
        let site = try Site()
        try await TestBroker.with { broker in
            _ = try await site.run(site.answers(broker.port))
            let text = try "# by hand\n" + site.text() + "\n[readings]\ninterval = \"30s\" # short\n"
            _ = try site.directory.write("gateway.toml", text)
            let again = try await site.run(
                site.answers(broker.port).replacing("\"east\"", with: "\"west\""))
            #expect(try site.text() == text.replacing("\"east\"", with: "\"west\""), "\(again)")
            #expect(again.output.contains("    - gateway = \"east\""))
            #expect(again.output.contains("    + gateway = \"west\""))
            let kept = try #require(site.directory.names.first { $0.contains("gateway.toml.bak-") })
            #expect(try site.text(kept) == text)
        }
    }

    @Test func `A trial shows everything, and writes nothing`() async throws {
        let site = try Site()
        try await TestBroker.with { broker in
            let before = site.directory.names.sorted()
            let (status, output, _) = try await site.run(site.answers(broker.port), ["--dry-run"])
            #expect(status == 0)
            #expect(output.contains("    + gateway = \"east\""))
            #expect(output.last == "nothing was changed: --dry-run")
            #expect(site.directory.names.sorted() == (before + ["answers.toml"]).sorted())
        }
    }

    @Test func `A user is created at the broker of this machine, with a password that only the service reads`()
        async throws
    {
        let site = try Site()
        try await TestBroker.with { broker in
            let (_, output, errors) = try await site.run(site.answers(broker.port, mqtt: "create-user = true"))
            #expect(
                output.contains { $0.contains("users.py --file ") && $0.contains("add gateway campus/main/1/east") },
                "\(output) \(errors)")
            let shown = try await ChildProcess.run(
                "python3",
                [
                    Repository.root + "/deploy/mosquitto/users.py", "--file",
                    site.directory.path + "/mosquitto/beacons-users.json",
                    "list",
                ])
            #expect(shown.output == ["gateway         campus/main/1/east"])
            #expect(try site.text("mosquitto/conf.d/beacons.conf").contains("\nlistener 1883 127.0.0.1\n"))
            #expect(try !site.text("mosquitto/conf.d/beacons.conf").contains("\nlistener 8883\n"))
            let access = try #require(FileOwnership(of: site.directory.path + "/mqtt-password"))
            #expect([0o600, 0o640].contains(access.mode))
            let password = try site.text("mqtt-password").trimmingNewline
            #expect(password.utf8.count == 36)
            #expect(!(output + errors).contains { $0.contains(password) })
            // The same file again: the user is there, and stays.
            let again = try await site.run(site.answers(broker.port, mqtt: "create-user = true"))
            #expect(again.output.words.contains("campus/main/1/east exists already, and is kept"), "\(again)")
            #expect(!again.output.contains { $0.contains("users.py --file ") })
            #expect(try site.text("mqtt-password").trimmingNewline == password)
        }
    }

    @Test func `An emulated module gets a row, and with it its beacon's UUID is listened for`() async throws {
        let site = try Site()
        let port = site.directory.path + "/module"
        let emulator = try ChildProcess(BuiltProgram.path("beacon-gateway"), ["emulate", "rs9116", "--link", port])
        _ = await emulator.errorOutput.first { $0.contains("linked as \(port)") }
        try await TestBroker.with { broker in
            let modules =
                "[modules]\nports = [\"\(port)\"]\nmajor = 7\nuuid = \"e2c56db5-dffb-48d2-b060-d0f5a71096e0\"\n"
            let (_, output, errors) = try await site.run(site.answers(broker.port, further: modules))
            #expect(
                output.words.contains("ok serial \(port): rs9116 88:DA:1A:E8:06:6F"),
                "\(output) \(errors)")
            #expect(
                try site.text().contains(
                    "[[modules]]\nname = \"beacon-7-1\"\nmodule = \"88:DA:1A:E8:06:6F\"\n"))
            let again = try await site.run(site.answers(broker.port, further: modules))
            #expect(again.output.words.contains("beacon-7-1 in the inventory"), "\(again)")
            #expect(again.output.contains("Nothing changes: \(site.configuration) is as answered."))
        }
        emulator.send(signal: SIGTERM)
        _ = await emulator.exitStatus()
    }

    @Test func `At a terminal it asks, shows no password, and writes only after yes`() async throws {
        let site = try Site()
        try await TestBroker.with { broker in
            let state = try site.directory.write(
                "answers.toml", "[state]\ndirectory = \"\(site.directory.path)/state\"\n")
            let terminal = try TerminalProcess(
                BuiltProgram.path("beacon-gateway"), site.arguments + ["--answers", state])
            await terminal.answer("Site: ", "Main Campus")
            await terminal.answer("Site: ", "campus")
            await terminal.answer("Building: ", "main")
            await terminal.answer("Floor: ", "1")
            await terminal.answer("Name of this gateway", "east")
            await terminal.answer("Address of the MQTT broker", "127.0.0.1")
            await terminal.answer("Does it use TLS", "no")
            await terminal.answer("Port ", "\(broker.port)")
            await terminal.answer("Create a user", "no")
            await terminal.answer("User name", "campus/main/1/east")
            await terminal.answer("Password of this user: ", "tell nobody")
            // Where there is no Bluetooth, that is asked about.
            await terminal.answer("Bluetooth adapter", "")
            if access("/sys/class/bluetooth", F_OK) != 0 { await terminal.answer("or stop? [again]: ", "keep") }
            await terminal.answer("Other serial ports", "")
            await terminal.answer("UUIDs of other beacons", "")
            await terminal.wait(for: "Do this [yes]: ")
            #expect(!site.directory.names.contains("gateway.toml"))
            await terminal.type("yes")
            #expect([0, 69].contains(await terminal.exitStatus()))
            let shown = await terminal.transcript
            #expect(shown.contains("made up of a-z, 0-9 and hyphens"), "\(shown)")
            #expect(shown.contains("main-campus"))
            #expect(!shown.contains("tell nobody"), "\(shown)")
            #expect(try site.text("mqtt-password") == "tell nobody\n")
            #expect(try site.text().contains("password-file = \"mqtt-password\""))
            #expect(try site.text().contains("uuids = [\""), "a new UUID is proposed")
            // Progress and colours have no width. Commands and lines of files are not broken.
            let plain = shown.split(separator: "\n").map { line in
                (line.split(separator: "\u{1B}[K").last ?? line).replacing(/\u{1B}\[[0-9;]*m|\r/, with: "")
            }
            let wide = plain.filter { $0.count > 80 && !$0.hasPrefix("    ") && !$0.contains("/") }
            #expect(wide.isEmpty, "\(wide)")
        }
    }

    @Test func `Ctrl-C leaves everything as before, and a terminal that shows what is typed`() async throws {
        let site = try Site()
        let before = site.directory.names.sorted()
        let terminal = try TerminalProcess(BuiltProgram.path("beacon-gateway"), site.arguments)
        await terminal.answer("Site: ", "campus")
        await terminal.wait(for: "Building: ")
        await terminal.pressControlC()
        #expect(await terminal.exitStatus() == 130)
        #expect(await terminal.transcript.contains("interrupted; nothing was changed"))
        #expect(site.directory.names.sorted() == before)
    }
}

extension String {
    fileprivate var trimmingNewline: String { hasSuffix("\n") ? String(dropLast()) : self }
}

extension [String] {
    /// What was printed, without its line breaks.
    fileprivate var words: String { flatMap { $0.split(separator: " ") }.joined(separator: " ") }
}
