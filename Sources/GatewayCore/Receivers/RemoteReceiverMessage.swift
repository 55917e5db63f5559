package import BeaconModel

/// The contents of a message from a remote receiver.
package enum RemoteReceiverMessage: Equatable, Sendable {
    case heard(Reading)
    /// The node heard a device that is not a beacon that can be tracked.
    case heardSomebody
    case online, offline
    /// Number of advertisements that the node has received since its start.
    case received(UInt64)
    /// States of a listening module: it begins to listen; it has listened until now and goes on; it has listened until
    /// now and pauses; it does not listen, or is not known to.
    case begun, confirmed, paused, deaf

    /// A beacon that the node hears, and how strongly.
    package struct Reading: Equatable, Sendable {
        package var beacon: BeaconID
        package var rssi: RSSI
        /// Measured power in dBm at 1 m, corrected for the node's receiver where the node does that; `nil` if the node
        /// does not report it.
        package var measuredPower: Int8?
    }

    /// Reason why a message is not understood.
    package enum Refusal: String, Error, CaseIterable, Sendable {
        case tooLong = "too-long"
        case notJSON = "not-json"
        /// The message does not say which device it is about.
        case noIdentity = "no-identity"
        case noSignalStrength = "no-signal-strength"
        case outOfRange = "out-of-range"
        /// The message was retained by the broker from an earlier time.
        case retained
        case unknownStatus = "unknown-status"
    }
}

/// The topic of a node on which a message arrived.
package enum RemoteReceiverTopic: Equatable, Sendable {
    case devices, status, telemetry
}
