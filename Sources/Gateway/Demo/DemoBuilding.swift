import BeaconModel
import GatewayCore

/// Small building for the demonstration.
struct DemoBuilding: Sendable {
    /// Topic prefix, different for each run because brokers keep retained messages.
    var topicPrefix: String
    var brokerPort: UInt16
    var stateDirectory: String

    static let moduleUUID = "e2c56db5-dffb-48d2-b060-d0f5a71096e0"
    static let badgeUUID = "7a1d5f0c-3b62-4e8e-9d24-5c0be9f1a6d3"
    /// Distances of the modules from the gateway, in metres.
    static let moduleDistances = [2.0, 5.0]

    static let walkers = [
        Walker(
            name: "badge 1", beacon: badge(1), address: BluetoothAddress(bits: 0xC000_0000_0101), nearest: 0.4,
            farthest: 4, period: 16),
        // Goes out of range and comes back.
        Walker(
            name: "badge 2", beacon: badge(2), address: BluetoothAddress(bits: 0xC000_0000_0102), nearest: 1.5,
            farthest: 40, period: 24),
        // Stays with badge 1.
        Walker(
            name: "badge 3", beacon: badge(3), address: BluetoothAddress(bits: 0xC000_0000_0103), nearest: 0.8,
            farthest: 1.6, period: 10),
    ]

    func modulePort(_ number: Int) -> String { stateDirectory + "/module\(number)" }

    /// Path of the local socket, beside that of a gateway on the same machine.
    private var localSocket: String {
        let path = stateDirectory + "/control.sock"
        return path.utf8.count <= LocalSocketSetting.longestPath ? path : "off"
    }

    /// Configuration that an operator would write, with the modules.
    var configuration: String {
        """
        local-socket = "\(localSocket)"

        [place]
        site = "demo"
        building = "main"
        floor = "1"
        gateway = "hall"
        room = "entrance hall"
        beacon = { uuid = "\(Self.moduleUUID)", major = 1, minor = 1 }

        [metrics]
        listen = "off"

        [mqtt]
        host = "127.0.0.1"
        port = \(brokerPort)
        prefix = "\(topicPrefix)"

        [beacons]
        uuids = ["\(Self.moduleUUID)", "\(Self.badgeUUID)"]

        [interactions]
        silence = "3s"
        update-interval = "2s"

        [state]
        directory = "\(stateDirectory)"

        [[modules]]
        name = "module-1"
        module = "\(modulePort(1))"
        uuid = "\(Self.moduleUUID)"
        major = 1
        minor = 1
        measured-power = -59
        interval = "100ms"

        [[modules]]
        name = "module-2"
        module = "\(modulePort(2))"
        uuid = "\(Self.moduleUUID)"
        major = 1
        minor = 2
        measured-power = -59
        interval = "100ms"

        """
    }

    /// Returns the name of a beacon, for the table.
    static func name(uuid: String, minor: UInt16) -> String {
        uuid == moduleUUID ? "module \(minor)" : uuid == badgeUUID ? "badge \(minor)" : uuid
    }

    static func badge(_ number: UInt16) -> BeaconID {
        BeaconID(uuid: ProximityUUID(badgeUUID) ?? ProximityUUID(bits: 0), major: 1, minor: number)
    }
}
