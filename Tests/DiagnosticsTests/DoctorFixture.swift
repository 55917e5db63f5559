import BeaconModel
import HCI

@testable import Diagnostics

/// A Raspberry Pi with which all is well, for tests that break one thing of it.
enum DoctorFixture {
    static let hci0 = Adapter(index: 0)
    static let bothCapabilities: UInt64 = 1 << 12 | 1 << 13

    static let features = ControllerFeatures(
        version: 9, manufacturer: 15, scans: true, scansExtended: false, hearsCodedPHY: false)

    static let adapter = MachineFacts.AdapterFacts(
        description: AdapterDescription(
            adapter: hci0, address: BluetoothAddress(bits: 0xDCA6_3201_0203), isUp: true),
        features: .success(features))

    static var facts: MachineFacts {
        MachineFacts(
            kernel: "Linux 6.12.20 (aarch64)", model: "Raspberry Pi 4 Model B Rev 1.4",
            program: "/usr/local/bin/beacon-gateway",
            user: .init(name: "pi", isRoot: false, capabilities: bothCapabilities),
            bluetooth: .init(isLoaded: true, canBeLoaded: true, disabledIn: nil), adapters: .success([adapter]),
            switches: [.init(name: "hci0", isSoftBlocked: false, isHardBlocked: false)],
            programs: .init(
                withHCISockets: [], unknownHCISockets: 0, bluetoothd: .init(identifier: 412, name: "bluetoothd"),
                hasBlueZ: true, gateway: nil, modemManager: nil, hasMosquitto: false),
            clock: .init(
                now: Timestamp(microseconds: 1_780_000_000_000_000), isSynchronized: true, hasKeeper: true),
            state: .init(
                path: "/var/lib/beacon-gateway", existence: .directory, isWritable: true, isReadOnlyFileSystem: false,
                freeBytes: 21_000_000_000),
            serialPorts: [
                .init(
                    name: "/dev/serial/by-id/usb-FTDI_A50285BI", text: "FTDI FT232R USB UART", isPermitted: true,
                    group: "dialout", holder: nil)
            ])
    }

    static func diagnosis(
        _ configuration: ExaminedConfiguration = ExaminedConfiguration(path: "gateway.toml"),
        _ change: (inout MachineFacts) -> Void = { _ in }
    ) -> Diagnosis {
        var facts = facts
        change(&facts)
        return Diagnosis(facts: facts, configuration: configuration)
    }

    static func heard(_ path: ScanPathKind, reports: Int = 430) -> PathMeasurement {
        PathMeasurement(
            path: path, adapter: hci0,
            outcome: .heard(
                .init(reports: reports, senders: reports == 0 ? 0 : 21, elapsed: .seconds(3), mode: .legacy)))
    }

    static func failed(_ path: ScanPathKind, _ error: ScannerError) -> PathMeasurement {
        PathMeasurement(path: path, adapter: hci0, outcome: .failed(error))
    }

    static func notTried(_ path: ScanPathKind) -> PathMeasurement {
        PathMeasurement(path: path, adapter: hci0, outcome: .notTried("not tried"))
    }
}
