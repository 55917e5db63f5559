package import BeaconModel

/// Handwritten log of a test: which device was in range in which state, and when. Pure.
package struct EvaluationSchedule: Equatable, Sendable {
    /// Name of the receiver.
    package var receiver: String
    /// State of the receiver, in the words of the schedule's author.
    package var receiverState: String
    /// Time from which the phases are measured; `nil` for the moment at which the receiver begins to listen.
    package var start: Timestamp?
    /// Length of the windows into which the time in range is divided. Each window must have a reading.
    package var requiredWindow: Duration
    /// Longest time from coming into range to the first reading. A later first reading is not in time.
    package var discoveryLimit: Duration
    package var devices: [Device]

    package struct Device: Equatable, Sendable {
        package var name: String
        /// Identities of the device, at least one. Any of them is enough to recognise it.
        package var identities: [Identity]
        /// Phases in chronological order, without overlap; at least one.
        package var phases: [Phase]
    }

    /// Period in range in one state.
    package struct Phase: Equatable, Sendable {
        package var state: String
        /// Time of coming into range, relative to the start; negative for a time before the start.
        package var inRange: Duration
        /// Time of going out of range, relative to the start; `nil` for the end of the received data.
        package var outOfRange: Duration?
    }

    /// Identity by which a device is recognised.
    package enum Identity: Hashable, Sendable {
        /// iBeacon or AltBeacon identity.
        case beacon(BeaconID)
        case address(BluetoothAddress)
        /// Rolling proximity identifier of an exposure notification.
        case identifier(RollingProximityIdentifier)
    }

    package static let mostDevices = 256
    static let mostPhases = 4096
    /// Maximum number of identities of one device.
    static let mostIdentities = 1024
    /// Maximum number of windows in one phase: a week of 30 s windows.
    package static let mostWindows = 20_160
    /// Maximum distance of a time from the start, before or after it.
    static let furthest = Duration.seconds(366 * 86_400)

    /// End of the last phase, relative to the start; `nil` when a phase has no end.
    package var end: Duration? {
        let ends = devices.flatMap(\.phases).map(\.outOfRange)
        return ends.contains(nil) ? nil : ends.compactMap(\.self).max()
    }

    /// Time at which the first device comes into range, relative to the start.
    var firstInRange: Duration { devices.flatMap(\.phases).map(\.inRange).min() ?? .zero }
}

extension EvaluationSchedule.Identity: CustomStringConvertible {
    package static let form = "UUID/major/minor, an address AA:BB:CC:DD:EE:FF, or 32 hexadecimal digits"

    /// Parses any of the forms. They are unambiguous.
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
