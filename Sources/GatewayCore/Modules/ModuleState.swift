import BeaconModel
package import ModuleDialogues
import RecordContract

/// The message published on a module's `state` topic.
package struct ModuleState: Encodable, Equatable, Sendable {
    package var state: String
    /// Port that the module is plugged into, or the module's designation in the inventory.
    package var port: String
    package var kind: String
    package var room: String?
    package var desired: Beacon
    package var applied: Beacon?
    /// `heard`, `not-heard`, or `unverified` where that is not known.
    package var heard: String
    /// Signal strength in dBm when the module was first heard.
    package var rssi: Int8?
    package var address: String?
    package var firmware: String?
    package var advertisingType: Int?
    /// Number of other devices heard with the same identity.
    package var duplicates: Int?
    /// State of listening; left out for a module that is not configured to listen.
    package var listening: Listening?
    package var error: String?
    package var remedy: String?

    package struct Listening: Encodable, Equatable, Sendable {
        /// `starting`, `listening`, `in-turns` or `deaf`.
        package var state: String
        /// Reason for being deaf: `refused`, `stopped` or `unproven`.
        package var reason: String?
        /// Counts of reports that exceeded the limit, and of those that could not be read.
        package var dropped: UInt64
        package var unreadable: UInt64

        package init(_ listening: ModuleStatus.Listening) {
            state = listening.condition.rawValue
            reason = listening.reason?.rawValue
            dropped = listening.dropped
            unreadable = listening.unreadable
        }
    }

    package struct Beacon: Encodable, Equatable, Sendable {
        package var uuid: String
        package var major: UInt16
        package var minor: UInt16
        package var measuredPower: Int8
        package var intervalMs: Double
        package var transmitPower: Int?

        package init(_ configuration: BeaconConfiguration) {
            uuid = configuration.beacon.uuid.description
            major = configuration.beacon.major
            minor = configuration.beacon.minor
            measuredPower = configuration.measuredPower
            intervalMs = Double(configuration.interval.units) * 0.625
            transmitPower = configuration.transmitPower
        }
    }

    package init(_ status: ModuleStatus) {
        state = status.condition.rawValue
        port = status.port ?? status.entry.module.description
        kind = status.entry.kind.rawValue
        room = status.entry.room
        desired = Beacon(status.entry.configuration)
        applied = status.applied.map { Beacon($0) }
        heard =
            switch status.condition {
            case .advertising: "heard"
            case .notHeard: "not-heard"
            case .absent, .provisioning, .unverified, .failed: "unverified"
            }
        rssi = status.heard?.rssi?.dBm
        address = status.address?.description
        firmware = status.firmware
        advertisingType = status.advertisingType.map { Int($0.rawValue) }
        duplicates = status.duplicates.isEmpty ? nil : status.duplicates.count
        listening = status.listening.map { Listening($0) }
        error = status.problem?.what
        remedy = status.problem?.remedy
    }

    /// The message as published.
    package var encoded: [UInt8] { JSON.encode(self) }
}

extension GatewayInfo.Module {
    package init(_ status: ModuleStatus) {
        self.init(
            name: status.entry.name, port: status.port ?? status.entry.module.description,
            beacon: status.entry.configuration.beacon.description, state: status.condition.rawValue,
            firmware: status.firmware, error: status.problem?.what)
    }
}
