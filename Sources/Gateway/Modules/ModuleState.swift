import BeaconModel
import ModuleDialogues
import RecordContract

/// What is published on a module's `state` topic.
struct ModuleState: Encodable, Equatable, Sendable {
    var state: String
    /// Where it is plugged in, or what the inventory says it is.
    var port: String
    var kind: String
    var room: String?
    var desired: Beacon
    var applied: Beacon?
    /// `heard`, `not-heard`, or `unverified` where nobody can say.
    var heard: String
    /// dBm, when it was heard first.
    var rssi: Int8?
    var address: String?
    var firmware: String?
    var advertisingType: Int?
    /// Others that are heard with the same identity.
    var duplicates: Int?
    /// How it listens; left out for one that isn't to.
    var listening: Listening?
    var error: String?
    var remedy: String?

    struct Listening: Encodable, Equatable, Sendable {
        /// `starting`, `listening`, `in-turns` or `deaf`.
        var state: String
        /// Why it is deaf: `refused`, `stopped` or `unproven`.
        var reason: String?
        /// Reports that were too many, and that couldn't be read.
        var dropped: UInt64
        var unreadable: UInt64

        init(_ listening: ModuleStatus.Listening) {
            state = listening.condition.rawValue
            reason = listening.reason?.rawValue
            dropped = listening.dropped
            unreadable = listening.unreadable
        }
    }

    struct Beacon: Encodable, Equatable, Sendable {
        var uuid: String
        var major: UInt16
        var minor: UInt16
        var measuredPower: Int8
        var intervalMs: Double
        var transmitPower: Int?

        init(_ configuration: BeaconConfiguration) {
            uuid = configuration.beacon.uuid.description
            major = configuration.beacon.major
            minor = configuration.beacon.minor
            measuredPower = configuration.measuredPower
            intervalMs = Double(configuration.interval.units) * 0.625
            transmitPower = configuration.transmitPower
        }
    }

    init(_ status: ModuleStatus) {
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

    /// As published.
    var encoded: [UInt8] { JSON.encode(self) }
}

extension GatewayInfo.Module {
    init(_ status: ModuleStatus) {
        self.init(
            name: status.entry.name, port: status.port ?? status.entry.module.description,
            beacon: status.entry.configuration.beacon.description, state: status.condition.rawValue,
            firmware: status.firmware, error: status.problem?.what)
    }
}
