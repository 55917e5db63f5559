package import BeaconModel

/// What a node's message says.
package enum RemoteEarMessage: Equatable, Sendable {
    case heard(Reading)
    /// It heard somebody who is no beacon that can be followed.
    case heardSomebody
    case online, offline
    /// Advertisements that it has received since its start.
    case received(UInt64)
    /// It listens from now on; it has listened until now, and goes on or pauses; it doesn't, or isn't known to.
    case begun, confirmed, paused, deaf

    /// Whom it hears, and how strongly.
    package struct Reading: Equatable, Sendable {
        package var beacon: BeaconID
        package var rssi: RSSI
        /// dBm at 1 m, corrected for the node's receiver where the node does that; `nil` where the node doesn't say.
        package var measuredPower: Int8?
    }

    /// Why a message isn't understood.
    package enum Refusal: String, Error, CaseIterable, Sendable {
        case tooLong = "too-long"
        case notJSON = "not-json"
        /// What it says of whom.
        case noIdentity = "no-identity"
        case noSignalStrength = "no-signal-strength"
        case outOfRange = "out-of-range"
        /// Kept by the broker from some time ago.
        case retained
        case unknownStatus = "unknown-status"
    }
}

/// Which of a node's topics a message came on.
package enum RemoteEarTopic: Equatable, Sendable {
    case devices, status, telemetry
}
