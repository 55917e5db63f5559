import Glibc
import TestSupport
import Testing

/// `provision` with an emulated module, and without one.
@Suite(.timeLimit(.minutes(10))) struct ProvisionCommandTests {
    @Test("provision makes an emulated module advertise exactly the reference's 30 bytes, and says each step")
    func provision() async throws {
        let directory = try TemporaryDirectory()
        let port = directory.path + "/module"
        let emulator = try ChildProcess(BuiltProgram.path("beacon-gateway"), ["emulate", "rs9116", "--link", port])
        _ = await emulator.errorOutput.first { $0.contains("linked as \(port)") }
        let (status, steps, _) = try await GatewayProgram.run(["provision", "--port", port] + GatewayProgram.identity)
        #expect(status == 0)
        #expect(
            steps.map { $0.prefix(11) } == [
                "port       ", "handshake  ", "firmware   ", "firmware   ", "bluetooth  ", "address    ", "data       ",
                "on air     ",
            ], "\(steps)")
        let air = await emulator.output.first()
        #expect(
            air
                == #"{"advertising":true,"type":131,"intervalMs":100,"data":"0201061aff4c000215e2c56db5dffb48d2b060d0f5a71096e000010002c5"}"#
        )
        emulator.send(signal: SIGTERM)
        #expect(await emulator.exitStatus() == 0)
        #expect(access(port, F_OK) != 0, "the link is gone with the emulator")
    }

    @Test("A module that only advertises connectably is provisioned, with a warning")
    func connectableOnly() async throws {
        let directory = try TemporaryDirectory()
        let port = directory.path + "/module"
        let emulator = try ChildProcess(
            BuiltProgram.path("beacon-gateway"), ["emulate", "rs9116", "--link", port, "--fault", "connectable-only"])
        _ = await emulator.errorOutput.first { $0.contains("linked as") }
        let (status, steps, _) = try await GatewayProgram.run(["provision", "--port", port] + GatewayProgram.identity)
        #expect(status == 0)
        #expect(steps.contains { $0.hasPrefix("warning") && $0.contains("4E11") }, "\(steps)")
        emulator.send(signal: SIGTERM)
        _ = await emulator.exitStatus()
    }

    @Test("provision without a module says what happened and what to do, with status 69")
    func noModule() async throws {
        let (status, _, errors) = try await GatewayProgram.run(
            ["provision", "--port", "/dev/no-such-port"] + GatewayProgram.identity)
        #expect(status == 69)
        #expect(errors.contains("error: there is no serial port /dev/no-such-port"), "\(errors)")
        #expect(errors.contains { $0.contains("what to do: ") }, "\(errors)")
    }
}
