import Glibc
import ModuleDialogues
import SystemIO
import TestSupport
import TestValues
import Testing
import UARTConfig

/// `firmware update` as a person runs it, with an emulated module.
@Suite(.timeLimit(.minutes(10))) struct FirmwareUpdateCommandTests {
    private static let senderInstalled = (try? KermitSender.find()) != nil
    private static let scriptInstalled = access("/usr/bin/script", X_OK) == 0

    /// Of many packets, so that there is a half-way.
    private static let file = Task { try await image(of: 100_000) }

    private static func image(of size: Int) async throws -> [UInt8] {
        try await DedicatedThread.run(name: "image") {
            var generator = SeededGenerator(seed: 9116)
            return RPSFile(body: (0..<size).map { _ in UInt8.random(in: 0...255, using: &generator) }).bytes
        }
    }

    private static let program = BuiltProgram.path("beacon-gateway")

    private func run(_ arguments: [String]) async throws -> (status: Int32, output: [String], errorOutput: [String]) {
        try await ChildProcess.run(Self.program, ["firmware", "update"] + arguments)
    }

    /// An emulated module at a port, for as long as `body` runs.
    private func withModule(
        _ faults: [String] = [], _ body: (_ port: String, _ file: String, _ emulator: ChildProcess) async throws -> Void
    ) async throws {
        let directory = try TemporaryDirectory()
        let port = directory.path + "/module"
        let file = try directory.write("image.rps", await Self.file.value)
        let emulator = try ChildProcess(
            Self.program, ["emulate", "rs9116", "--link", port] + faults.flatMap { ["--fault", $0] })
        _ = await emulator.errorOutput.first { $0.contains("linked as") }
        do {
            try await body(port, file, emulator)
        } catch {
            emulator.send(signal: SIGTERM)
            _ = await emulator.exitStatus()
            throw error
        }
        emulator.send(signal: SIGTERM)
        _ = await emulator.exitStatus()
    }

    @Test("With --yes it burns, and says each step", .enabled(if: senderInstalled))
    func update() async throws {
        try await withModule(["already-running"]) { port, file, _ in
            let (status, output, errors) = try await run(["--port", port, file, "--yes"])
            #expect(status == 0, "\(errors)")
            let beginning = [
                "port       \(port)", "file       \(file)", "family     RS9116W, silicon 1.3/1.4, firmware 1610...",
                "version    2.12.0.3", "size       100064 bytes", "firmware   1610.2.5.2.0.4",
                "installed  1610.2.5.2.0.4, family RS9116W",
            ]
            #expect(Array(output.prefix(7)) == beginning, "\(output)")
            #expect(output.count { $0.hasPrefix("transfer ") && $0.contains(" % ") } == 10, "\(output)")
            #expect(output.contains("integrity  image 0 passed"), "\(output)")
            #expect(output.last == "done       the module runs 1610.2.12.0.0.3")
        }
    }

    @Test("An image other than the first is burnt and run", .enabled(if: senderInstalled))
    func otherImage() async throws {
        try await withModule(["missing-firmware"]) { port, file, _ in
            let (status, output, errors) = try await run(["--port", port, file, "--yes", "--image", "b"])
            #expect(status == 0, "\(errors)")
            #expect(output.contains { $0.hasPrefix("installed  no working firmware; its family cannot be determined") })
            #expect(output.contains("integrity  image b passed"), "\(output)")
        }
    }

    @Test("Without a terminal and without --yes it refuses, with status 64 and what to do")
    func noTerminal() async throws {
        let directory = try TemporaryDirectory()
        let file = try directory.write("image.rps", RPSFile(body: [1, 2, 3]).bytes)
        let (status, output, errors) = try await run(["--port", "/dev/no-such-port", file])
        #expect(status == 64)
        #expect(output == [])
        #expect(errors.contains("  what to do: run the command in a terminal, or specify --yes"), "\(errors)")
    }

    @Test("A damaged image is refused with status 65 before the port is opened")
    func damaged() async throws {
        let directory = try TemporaryDirectory()
        var bytes = RPSFile(body: [1, 2, 3]).bytes
        bytes[65] ^= 1
        let file = try directory.write("image.rps", bytes)
        let (status, output, errors) = try await run(["--port", "/dev/no-such-port", file, "--yes"])
        #expect(status == 65)
        #expect(output == [])
        #expect(errors.first?.contains("CRC") == true, "\(errors)")
    }

    @Test("Without a Kermit program it says what to install, with status 69, before the port is opened")
    func noSender() async throws {
        let directory = try TemporaryDirectory()
        let file = try directory.write("image.rps", RPSFile(body: [1, 2, 3]).bytes)
        let (status, _, errors) = try await ChildProcess.run(
            "env",
            ["PATH=/nonexistent", Self.program, "firmware", "update", "--port", "/dev/no-such-port", file, "--yes"])
        #expect(status == 69)
        #expect(errors.contains("  what to do: sudo apt-get install ckermit"), "\(errors)")
    }

    @Test("An image of the other family is refused with status 65", .enabled(if: senderInstalled))
    func wrongFamily() async throws {
        try await withModule { port, file, _ in
            let other = try TemporaryDirectory()
            let image = try other.write("image.rps", RPSFile(body: [1], flags: 0, extendedVersion: 0x1611_0000).bytes)
            let (status, output, errors) = try await run(["--port", port, image, "--yes"])
            #expect(status == 65)
            #expect(!output.contains { $0.hasPrefix("write ") || $0.hasPrefix("transfer ") }, "\(output)")
            #expect(errors.contains("  what to do: use the RS9116W.*.rps of the same firmware package"), "\(errors)")
        }
    }

    @Test("Ctrl-C is a question first and an end then; the same command begins anew", .enabled(if: senderInstalled))
    func interrupted() async throws {
        try await withModule { port, file, emulator in
            let directory = try TemporaryDirectory()
            let large = try directory.write("large.rps", await Self.image(of: 1_000_000))
            let update = try ChildProcess(Self.program, ["firmware", "update", "--port", port, large, "--yes"])
            _ = await update.output.first { $0.contains(" 10 %") }
            // So that the transfer is still going on; most of it is to come.
            emulator.send(signal: SIGSTOP)
            update.send(signal: SIGINT)
            #expect(await update.errorOutput.first { $0.contains("warning: writing is in progress") } != nil)
            update.send(signal: SIGINT)
            #expect(await update.exitStatus() == 74)
            let errors = await update.errorOutput.all()
            #expect(errors.contains { $0.hasPrefix("error: the transfer was interrupted after ") }, "\(errors)")
            #expect(errors.contains("  what to do: run the same command again: it starts over"), "\(errors)")
            emulator.send(signal: SIGCONT)
            let (status, _, again) = try await run(["--port", port, file, "--yes"])
            #expect(status == 0, "\(again)")
        }
    }

    @Test("A module that dies with its port half-way leaves a message how to go on", .enabled(if: senderInstalled))
    func portGone() async throws {
        try await withModule { port, _, emulator in
            // So large that the transfer is still going on when the module dies.
            let directory = try TemporaryDirectory()
            let large = try directory.write("large.rps", await Self.image(of: 1_000_000))
            let update = try ChildProcess(Self.program, ["firmware", "update", "--port", port, large, "--yes"])
            _ = await update.output.first { $0.contains(" 10 %") }
            emulator.send(signal: SIGKILL)
            #expect(await update.exitStatus() == 74)
            let errors = await update.errorOutput.all()
            #expect(errors.contains { $0.hasPrefix("error: the port disappeared after ") }, "\(errors)")
            #expect(errors.contains { $0.contains("plug the module in again and run the same command again") })
        }
    }

    @Test("On a terminal it asks, and only yes burns", .enabled(if: senderInstalled && scriptInstalled))
    func question() async throws {
        try await withModule { port, file, _ in
            let command = "exec \(Self.program) firmware update --port \(port) \(file)"
            for (answer, expected) in [("no", 1), ("", 1), ("yes", 0)] as [(String, Int32)] {
                let line = "echo \(answer) | script -qec '\(command)' /dev/null"
                let (status, output, _) = try await ChildProcess.run("sh", ["-c", line])
                #expect(status == expected, "\(output)")
                #expect(output.contains { $0.contains("Type yes to write the image: ") }, "\(output)")
                #expect(output.contains { $0.contains("transfer ") } == (expected == 0), "\(output)")
                #expect(output.contains { $0.contains("keeps its firmware") } == (expected != 0), "\(output)")
            }
        }
    }

    @Test(
        "Wrong usage ends with status 64",
        arguments: [[], ["x"], ["--port", "x", "y", "--image", "10"], ["--port", "x", "y", "--image", "g"]])
    func usage(arguments: [String]) async throws {
        let (status, _, errors) = try await run(arguments)
        #expect(status == 64, "\(errors)")
    }
}
