import Glibc
import SystemIO
import TestSupport
import Testing

/// SIGHUP, as `systemctl reload` and a terminal that is closed send it.
@Suite(.timeLimit(.minutes(10))) struct ReloadTests {
    private static func inventory(_ names: String...) -> String {
        "name,module,uuid,major,minor\n"
            + names.enumerated().map {
                "\($0.element),any,e2c56db5-dffb-48d2-b060-d0f5a71096e0,3,\($0.offset + 1)\n"
            }.joined()
    }

    private static func configuration(adapter: String, port: UInt16 = 1, more: String = "") -> String {
        """
        inventory = "floor.csv"
        [place]
        site = "s"
        building = "b"
        floor = "1"
        gateway = "g"
        [metrics]
        listen = "off"
        [mqtt]
        host = "127.0.0.1"
        port = \(port)
        [radio]
        adapter = "\(adapter)"
        [state]
        directory = "state"
        \(more)
        """
    }

    private func start(_ directory: TemporaryDirectory) throws -> ChildProcess {
        _ = try directory.write("floor.csv", Self.inventory("door"))
        let file = try directory.write("gateway.toml", Self.configuration(adapter: "hci0"))
        return try ChildProcess(
            BuiltProgram.path("beacon-gateway"), ["run", "--config", file, "--simulated-reports", "10"])
    }

    @Test("SIGHUP has a running gateway take up its inventory, and say what needs a restart")
    func taken() async throws {
        let directory = try TemporaryDirectory()
        let daemon = try start(directory)
        #expect(await daemon.errorOutput.first { $0.contains("name=door") } != nil)
        _ = try directory.write("floor.csv", Self.inventory("door", "hall"))
        _ = try directory.write("gateway.toml", Self.configuration(adapter: "hci1"))
        daemon.send(signal: SIGHUP)
        #expect(await daemon.errorOutput.first { $0.contains("name=hall") } != nil)
        let line = await daemon.errorOutput.first { $0.contains("configuration reloaded") }
        #expect(line?.contains("inventory (2 modules)") == true, "\(line ?? "-")")
        #expect(line?.contains("needs-restart=radio") == true, "\(line ?? "-")")
        daemon.send(signal: SIGTERM)
        #expect(await daemon.exitStatus() == 0)
    }

    @Test("SIGHUP has a running gateway begin with signals")
    func signals() async throws {
        let directory = try TemporaryDirectory()
        try await TestBroker.with { broker in
            let signals = try await broker.subscribe(to: "beacons/v1/s/b/1/g/signals")
            _ = try directory.write("floor.csv", Self.inventory("door"))
            func write(_ more: String) throws -> String {
                try directory.write(
                    "gateway.toml", Self.configuration(adapter: "hci0", port: broker.port, more: more))
            }
            let file = try write("")
            let daemon = try ChildProcess(
                BuiltProgram.path("beacon-gateway"), ["run", "--config", file, "--simulated-reports", "10"])
            #expect(await daemon.errorOutput.first { $0.contains("connected to the broker") } != nil)
            _ = try write("[signals]\nenabled = true")
            daemon.send(signal: SIGHUP)
            #expect(await signals.first { $0.contains("\"listenedSeconds\"") } != nil)
            daemon.send(signal: SIGTERM)
            #expect(await daemon.exitStatus() == 0)
        }
    }

    @Test("A mistaken configuration is refused, and the gateway goes on with the one before")
    func refused() async throws {
        let directory = try TemporaryDirectory()
        let daemon = try start(directory)
        #expect(await daemon.errorOutput.first { $0.contains("name=door") } != nil)
        _ = try directory.write("floor.csv", Self.inventory("door") + "hall,any,nonsense,3,2\n")
        daemon.send(signal: SIGHUP)
        let line = await daemon.errorOutput.first { $0.contains("configuration rejected") }
        #expect(line?.contains("row 3 (hall)") == true, "\(line ?? "-")")
        _ = try directory.write("floor.csv", Self.inventory("door"))
        daemon.send(signal: SIGHUP)
        #expect(await daemon.errorOutput.first { $0.contains("configuration reloaded") } != nil)
        daemon.send(signal: SIGTERM)
        #expect(await daemon.exitStatus() == 0)
    }

    @Test("SIGHUP ends a command that is no daemon in an orderly way")
    func command() async throws {
        let directory = try TemporaryDirectory()
        let port = directory.path + "/module"
        let emulator = try ChildProcess(
            BuiltProgram.path("beacon-gateway"), ["emulate", "rs9116", "--link", port])
        _ = await emulator.errorOutput.first { $0.contains("linked as") }
        emulator.send(signal: SIGHUP)
        #expect(await emulator.exitStatus() == 0)
        #expect(access(port, F_OK) != 0, "the link is gone with the emulator")
    }
}
