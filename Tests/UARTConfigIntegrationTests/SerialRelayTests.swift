import BeaconModel
import EmulatedModules
import ModuleEmulator
import SystemIO
import TestSupport
import Testing

@testable import ModuleDialogues
@testable import UARTConfig

/// Over real pseudo-terminals.
@Suite(.timeLimit(.minutes(10))) struct SerialRelayTests {
    /// A module, a relay before it, and what the relay tells.
    private final class Rig {
        let module: EmulatedModule
        let relay: SerialRelay
        let events: LockedValue<[SerialEvent]>
        private let directory: TemporaryDirectory

        init(_ change: (inout RS9116Emulator.Options) -> Void = { _ in }) throws {
            var options = RS9116Emulator.Options()
            options.loadingDelay = .milliseconds(1)
            options.bluetoothLoadingDelay = .milliseconds(1)
            change(&options)
            let directory = try TemporaryDirectory()
            let events = LockedValue<[SerialEvent]>([])
            module = try EmulatedModule(options: options, link: directory.path + "/module")
            relay = try SerialRelay(port: directory.path + "/module", link: directory.path + "/relay") { event in
                events.withLock { $0.append(event) }
            }
            self.events = events
            self.directory = directory
        }

        var port: String { directory.path + "/relay" }
        var modulePort: String { directory.path + "/module" }
        var names: [String] { directory.names }

        func provision() async throws {
            let beacon = BeaconConfiguration(
                beacon: BeaconID(uuid: ProximityUUID(bits: 1), major: 1, minor: 2), measuredPower: -59)
            _ = try await ModuleProvisioner(port: port, configuration: beacon).provision { _ in }
        }

        func stop() {
            relay.stop()
            module.stop()
        }
    }

    @Test("What is provisioned through a relay advertises, and the relay tells every byte of both directions")
    func provisions() async throws {
        let rig = try Rig()
        defer { rig.stop() }
        try await rig.provision()
        #expect(rig.module.currentAir.advertising)
        let events = rig.events.withLock { $0 }
        #expect(events.contains(.toModule([0x7C])))
        let heard = events.flatMap { event -> [UInt8] in
            if case .fromModule(let bytes) = event { bytes } else { [] }
        }
        #expect(String(decoding: heard, as: UTF8.self).contains("bt_loaded"))
    }

    @Test("The rate that the program sets is set at the port, and told")
    func rate() throws {
        let rig = try Rig()
        defer { rig.stop() }
        let port = try SerialPort.open(rig.port)
        try port.setBaudRate(9600)
        rig.events.wait { $0.contains(.baudRate(9600)) }
        try port.write([0x7C])
        rig.events.wait { $0.contains(.fromModule([0x55])) }
        #expect(rig.events.withLock { $0 } == [.baudRate(9600), .toModule([0x7C]), .fromModule([0x55])])
    }

    @Test("A port that goes away with a reset is opened again")
    func vanishingPort() async throws {
        let rig = try Rig { $0.portVanishesOnReset = true }
        defer { rig.stop() }
        try await rig.provision()
        rig.module.pressReset()
        let told = rig.events
        try await DedicatedThread.run(name: "reopened") { told.wait { $0.contains(.portReopened) } }
        try await rig.provision()
        let events = rig.events.withLock { $0 }
        #expect(events.contains(.portVanished))
    }

    @Test("A recorded session in which the port went away replays without a difference")
    func replay() async throws {
        let directory = try TemporaryDirectory()
        let path = directory.path + "/session.trace"
        let rig = try Rig {
            $0.portVanishesOnReset = true
            $0.initialState = .atMode(opermodeDone: true)
        }
        rig.relay.stop()
        let beacon = BeaconConfiguration(
            beacon: BeaconID(uuid: ProximityUUID(bits: 1), major: 1, minor: 2), measuredPower: -59)
        let file = try SerialTraceFile(
            path: path, header: .init(version: "0", started: "2020-11-15T12:00:00.000Z", port: "p"))
        _ = try await ModuleProvisioner(port: rig.modulePort, configuration: beacon, tap: file.tap).provision { _ in }
        rig.stop()
        #expect(file.error == nil)
        let trace = try SerialTrace(FileContents.read(path, limit: SerialTrace.longestFile))
        #expect(trace.entries.contains { $0.event == .portReopened })
        let replay = DriverReplay(trace)
        #expect(replay.difference == nil)
        #expect(replay.wanted == beacon)
        guard case .provisioned = replay.end else {
            Issue.record("\(replay.end)")
            return
        }
    }

    @Test("After its end the link and the ports are given back")
    func end() throws {
        let rig = try Rig()
        rig.relay.stop()
        rig.relay.stop()
        #expect(rig.names == ["module"])
        _ = try SerialPort.open(rig.module.portPath)
        rig.stop()
    }
}
