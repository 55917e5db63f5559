import Glibc
import RecordContract
import SystemIO
import TestSupport
import Testing

/// `module` and what belongs to it, as a person runs it.
@Suite(.timeLimit(.minutes(10))) struct ModuleCommandTests {
    private func run(_ arguments: [String]) async throws -> (status: Int32, output: [String], errorOutput: [String]) {
        try await ChildProcess.run(BuiltProgram.path("beacon-gateway"), arguments)
    }

    private static let identity = [
        "--uuid", "E2C56DB5-DFFB-48D2-B060-D0F5A71096E0", "--major", "1", "--minor", "2", "--measured-power", "-59",
    ]

    private func emulator(_ port: String, _ more: [String] = []) async throws -> ChildProcess {
        let emulator = try ChildProcess(
            BuiltProgram.path("beacon-gateway"), ["emulate", "rs9116", "--link", port] + more)
        _ = await emulator.errorOutput.first { $0.contains("linked as \(port)") }
        return emulator
    }

    private func recorder(_ port: String, _ file: String, _ link: String) async throws -> ChildProcess {
        let recorder = try ChildProcess(
            BuiltProgram.path("beacon-gateway"), ["module", "trace", "--port", port, "--output", file, "--link", link])
        #expect(await recorder.output.first { $0.hasPrefix("connect ") } == "connect    " + link)
        _ = await recorder.output.first { $0.hasPrefix("trace ") }
        return recorder
    }

    @Test("A session that module trace recorded replays without a difference", arguments: [SIGINT, SIGTERM, SIGKILL])
    func trace(signal: Int32) async throws {
        let directory = try TemporaryDirectory()
        let (port, link, file) = (directory.path + "/port", directory.path + "/link", directory.path + "/session.trace")
        let emulator = try await emulator(port)
        let recorder = try await recorder(port, file, link)
        #expect(try await run(["provision", "--port", link] + Self.identity).status == 0)
        recorder.send(signal: signal)
        #expect(await recorder.exitStatus() == (signal == SIGKILL ? 128 + SIGKILL : 0))
        emulator.send(signal: SIGTERM)
        _ = await emulator.exitStatus()
        let (status, output, errors) = try await run(["module", "replay", file])
        #expect(status == 0, "\(output) \(errors)")
        // On a slow machine the driver asks for the prompt once more.
        #expect(output.contains { $0.hasPrefix("driver     sends the same ") }, "\(output)")
        #expect(output.contains("ends       88:DA:1A:E8:06:6F advertises, non-connectable"), "\(output)")
        #expect(output.contains { $0.hasPrefix("emulator   gives the same ") }, "\(output)")
    }

    @Test func `A recording replaces only a trace, and that once its port is open`() async throws {
        let directory = try TemporaryDirectory()
        let old = "# beacon-gateway serial trace 1\n# version 0.1.0\n"
        let (trace, other) = (try directory.write("old.trace", old), try directory.write("gateway.toml", "site = 1\n"))
        func contents(_ path: String) throws -> String {
            String(decoding: try FileContents.read(path, limit: 1000), as: UTF8.self)
        }
        let missing = directory.path + "/none"
        #expect(try await run(["module", "trace", "--port", missing, "--output", trace]).status != 0)
        #expect(try contents(trace) == old)
        for command in [
            ["module", "trace", "--output"], ["module", "probe", "--trace"],
            ["provision"] + Self.identity + ["--trace"],
        ] {
            let (status, _, errors) = try await run(command + [other, "--port", missing])
            #expect(status == 64, "\(command)")
            #expect(errors.first == "error: \(other) already exists and is not a serial trace")
            #expect(try contents(other) == "site = 1\n")
        }
    }

    @Test("A changed trace is replayed with status 1, a damaged one refused with 65")
    func changedTrace() async throws {
        let directory = try TemporaryDirectory()
        let (port, file) = (directory.path + "/port", directory.path + "/session.trace")
        let emulator = try await emulator(port)
        #expect(try await run(["provision", "--port", port, "--trace", file] + Self.identity).status == 0)
        emulator.send(signal: SIGTERM)
        _ = await emulator.exitStatus()
        let text = String(decoding: try FileContents.read(file, limit: 1 << 20), as: UTF8.self)
        #expect(try await run(["module", "replay", file]).status == 0)
        // `bt_advertise=1,131` becomes `bt_advertise=1,231`.
        let changed = text.split(separator: "\n").map { line in
            line.contains("adv") && line.contains("=1,131")
                ? line.split(separator: "2c313331").joined(separator: "2c323331") : String(line)
        }
        let path = try directory.write("changed.trace", changed.joined(separator: "\n") + "\n")
        let (status, output, _) = try await run(["module", "replay", path])
        #expect(status == 1)
        #expect(output.contains { $0.hasPrefix("driver     differs at line ") }, "\(output)")
        #expect(output.contains { $0.hasPrefix("emulator   differs in 1 of ") }, "\(output)")
        let damaged = try directory.write("damaged.trace", text + "1.0 nonsense\n")
        let (damage, _, errors) = try await run(["module", "replay", damaged])
        #expect(damage == 65)
        #expect(errors.first?.hasPrefix("error: line ") == true, "\(errors)")
    }

    @Test("module probe shows what it found and writes a profile, by which provision goes")
    func probe() async throws {
        let directory = try TemporaryDirectory()
        let (port, file) = (directory.path + "/port", directory.path + "/profile.toml")
        let emulator = try await emulator(port, ["--fault", "connectable-only"])
        let (status, output, errors) = try await run(["module", "probe", "--port", port, "--profile", file])
        #expect(status == 0, "\(errors)")
        #expect(output.contains { $0.hasPrefix("question ") && $0.hasSuffix("driver behaviour") })
        #expect(output.contains { $0.hasPrefix("non-connectable advertising ") && $0.contains("4E11") }, "\(output)")
        #expect(output.last?.hasPrefix("Paste this") == true)
        let (second, steps, _) = try await run(["provision", "--port", port, "--profile", file] + Self.identity)
        #expect(second == 0)
        #expect(!steps.contains { $0.hasPrefix("warning") }, "\(steps)")
        #expect(steps.contains { $0.hasPrefix("on air     connectable") }, "\(steps)")
        let wrong = try directory.write("wrong.toml", "nonsense\n")
        #expect(try await run(["provision", "--port", port, "--profile", wrong] + Self.identity).status == 65)
        emulator.send(signal: SIGTERM)
        _ = await emulator.exitStatus()
    }

    @Test("module probe --json prints one object with every finding and what it settles")
    func probeDocument() async throws {
        struct Document: Decodable {
            var port, firmware: String
            var findings: [Finding]

            struct Finding: Decodable {
                var question: String
                var settles: Settlement?
            }

            struct Settlement: Decodable {
                var assumption: String
                var holds: Bool
            }
        }
        let directory = try TemporaryDirectory()
        let port = directory.path + "/port"
        let emulator = try await emulator(port, ["--fault", "connectable-only"])
        let (status, output, errors) = try await run(["module", "probe", "--port", port, "--json"])
        #expect(status == 0, "\(errors)")
        #expect(output.count == 1, "\(output)")
        let document = try JSON.decode(Document.self, from: Array((output.first ?? "").utf8))
        #expect(document.port == port)
        #expect(!document.firmware.isEmpty)
        let settled = document.findings.compactMap(\.settles)
        #expect(settled.first { $0.assumption == "non-connectable" }?.holds == false)
        #expect(settled.contains { $0.holds })
        emulator.send(signal: SIGTERM)
        _ = await emulator.exitStatus()
    }

    @Test("A probe without a module says what happened and what to do, with status 69")
    func noModule() async throws {
        let (status, _, errors) = try await run(["module", "probe", "--port", "/dev/no-such-port"])
        #expect(status == 69)
        #expect(errors.contains("error: there is no serial port /dev/no-such-port"), "\(errors)")
    }
}
