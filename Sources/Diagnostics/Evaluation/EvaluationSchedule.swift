package import BeaconModel

/// What a person with a stopwatch wrote down of a test: which device was in range in which state, and when. Pure.
package struct EvaluationSchedule: Equatable, Sendable {
    /// What heard.
    package var receiver: String
    /// The receiver's own state, in the words of whoever wrote the schedule.
    package var receiverState: String
    /// From which the times of the phases count; `nil` for the moment at which the receiver begins to listen.
    package var start: Timestamp?
    /// In each part of this length of the time in range there has to be a reading.
    package var requiredWindow: Duration
    /// A first reading later than this after the device came into range is none in time.
    package var discoveryLimit: Duration
    package var devices: [Device]

    package struct Device: Equatable, Sendable {
        package var name: String
        /// By any of these it is recognised; at least one.
        package var identities: [Identity]
        /// In the order of time, without an overlap; at least one.
        package var phases: [Phase]
    }

    /// A time in range in one state.
    package struct Phase: Equatable, Sendable {
        package var state: String
        /// When it came into range, after the start (before it when negative).
        package var inRange: Duration
        /// When it went out of range, after the start; `nil` for the end of what was heard.
        package var outOfRange: Duration?
    }

    /// By what a device is recognised.
    package enum Identity: Hashable, Sendable {
        /// As an iBeacon or an AltBeacon.
        case beacon(BeaconID)
        case address(BluetoothAddress)
        /// Of an exposure notification.
        case identifier(RollingProximityIdentifier)
    }

    package static let mostDevices = 256
    static let mostPhases = 4096
    /// Of one device.
    static let mostIdentities = 1024
    /// Windows of one phase: a week of 30 s.
    package static let mostWindows = 20_160
    /// How far a time may be from the start, before it and after it.
    static let furthest = Duration.seconds(366 * 86_400)

    /// When the last phase is over, after the start; `nil` when one has no end.
    package var end: Duration? {
        let ends = devices.flatMap(\.phases).map(\.outOfRange)
        return ends.contains(nil) ? nil : ends.compactMap(\.self).max()
    }

    /// When the first device comes into range, after the start.
    var firstInRange: Duration { devices.flatMap(\.phases).map(\.inRange).min() ?? .zero }
}

extension EvaluationSchedule.Identity: CustomStringConvertible {
    package static let form = "UUID/major/minor, an address AA:BB:CC:DD:EE:FF, or 32 hexadecimal digits"

    /// Reads any of the forms, which can't be taken for each other.
    package init?(_ text: String) {
        if let beacon = Self.beacon(text) {
            self = .beacon(beacon)
        } else if let address = BluetoothAddress(text) {
            self = .address(address)
        } else if let identifier = Self.identifier(text) {
            self = .identifier(identifier)
        } else {
            return nil
        }
    }

    package static func beacon(_ text: String) -> BeaconID? {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 3, let uuid = ProximityUUID(parts[0]), let major = number(parts[1]),
            let minor = number(parts[2])
        else { return nil }
        return BeaconID(uuid: uuid, major: major, minor: minor)
    }

    package static func identifier(_ text: String) -> RollingProximityIdentifier? {
        // The digits are those of a UUID without hyphens.
        guard text.utf8.count == 32, let uuid = ProximityUUID(text) else { return nil }
        return RollingProximityIdentifier(bits: uuid.bits)
    }

    private static func number(_ text: Substring) -> UInt16? {
        text.utf8.allSatisfy { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 } ? UInt16(text) : nil
    }

    package var description: String {
        switch self {
        case .beacon(let beacon): beacon.description
        case .address(let address): address.description
        case .identifier(let identifier): identifier.description
        }
    }
}
