import BeaconModel
import EmulatedModules
import Glibc
import ModuleEmulator
import SystemIO
import TestSupport
import Testing

@testable import ModuleDialogues
@testable import UARTConfig

/// Over a real serial line: a pseudo-terminal.
@Suite(.timeLimit(.minutes(10))) struct ModuleProvisionerTests {
    private let beacon = BeaconConfiguration(
        beacon: BeaconID(
            uuid: ProximityUUID(bits: 0xE2C5_6DB5_DFFB_48D2_B060_D0F5_A710_96E0), major: 1, minor: 2),
        measuredPower: -59)

    private var quickModule: RS9116Emulator.Options {
        var options = RS9116Emulator.Options()
        options.loadingDelay = .milliseconds(1)
        options.bluetoothLoadingDelay = .milliseconds(1)
        return options
    }

    @Test("A module on a pseudo-terminal advertises exactly the reference's 30 bytes")
    func provisions() async throws {
        let module = try EmulatedModule(options: quickModule)
        defer { module.stop() }
        let provisioned = try await ModuleProvisioner(port: module.portPath, configuration: beacon).provision { _ in }
        #expect(provisioned.address == BluetoothAddress("88:DA:1A:E8:06:6F"))
        let air = module.currentAir
        let expected: [UInt8] = [
            0x02, 0x01, 0x06, 0x1A, 0xFF, 0x4C, 0x00, 0x02, 0x15, 0xE2, 0xC5, 0x6D, 0xB5, 0xDF, 0xFB, 0x48, 0xD2, 0xB0,
            0x60, 0xD0, 0xF5, 0xA7, 0x10, 0x96, 0xE0, 0x00, 0x01, 0x00, 0x02, 0xC5,
        ]
        #expect(air.data == expected)
        #expect(air.type == 131)
    }

    @Test("A module that was provisioned before can be provisioned again")
    func again() async throws {
        let module = try EmulatedModule(options: quickModule)
        defer { module.stop() }
        for _ in 0..<2 {
            _ = try await ModuleProvisioner(port: module.portPath, configuration: beacon).provision { _ in }
        }
        #expect(module.currentAir.advertising)
    }

    @Test("A port that isn't there is named, with what to do")
    func missingPort() async {
        let error = await #expect(throws: SerialPortError.self) {
            _ = try await ModuleProvisioner(port: "/dev/no-such-port", configuration: beacon).provision { _ in }
        }
        #expect(error?.what == "there is no serial port /dev/no-such-port")
        #expect(error?.remedy?.contains("/dev/serial/by-id") == true)
        #expect(error?.exitStatus == .unavailable)
    }

    @Test("A file that is no serial port is refused")
    func ordinaryFile() async throws {
        let directory = try TemporaryDirectory()
        let path = try directory.write("file", "")
        let error = await #expect(throws: SerialPortError.self) {
            _ = try await ModuleProvisioner(port: path, configuration: beacon).provision { _ in }
        }
        #expect(error?.what == "\(path) is not a serial port")
    }

    @Test("A port that another program has open is left alone")
    func busyPort() async throws {
        let module = try EmulatedModule(options: quickModule)
        defer { module.stop() }
        let other = try SerialPort.open(module.portPath)
        let error = await #expect(throws: SerialPortError.self) {
            _ = try await ModuleProvisioner(port: module.portPath, configuration: beacon).provision { _ in }
        }
        #expect(error?.what == "another program has \(module.portPath) open")
        _ = consume other
    }

    @Test("What was written just before a port is closed arrives")
    func lastWords() throws {
        let module = try PseudoTerminal(baud: 115_200)
        for _ in 0..<100 {
            do {
                let port = try SerialPort.open(module.path)
                try port.write(Array("at+rsi_reset\r\n".utf8))
            }
            #expect(module.read().count == 14)
        }
    }

    @Test("A device that never stops sending doesn't keep the driver from its turn")
    func flood() async throws {
        let device = try FloodingDevice()
        let task = Task {
            try await ModuleProvisioner(port: device.portPath, configuration: beacon).provision { _ in }
        }
        #expect(await device.waitForBytes(3, equalTo: 0x7C))
        task.cancel()
        // A driver that is never stopped gives up by itself, perhaps before this test has its own turn.
        switch await task.result {
        case .failure(is CancellationError), .failure(ProvisioningError.unintelligible): break
        case let result: Issue.record("\(result)")
        }
        device.stop()
    }

    @Test("Cancelling ends the wait for a mute module at once")
    func cancellation() async throws {
        var options = quickModule
        options.isMute = true
        let module = try EmulatedModule(options: options)
        defer { module.stop() }
        let task = Task {
            try await ModuleProvisioner(port: module.portPath, configuration: beacon).provision { _ in }
        }
        task.cancel()
        await #expect(throws: CancellationError.self) { _ = try await task.value }
    }
}
