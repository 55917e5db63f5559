package import BeaconModel

/// State of a listening module, for the health message.
package struct ModuleReceiverReport: Encodable, Equatable, Sendable {
    /// Name of the module in the inventory.
    package var name: String
    /// `waiting`, `hearing`, `paused`, `offline` or `silent`.
    package var state: String
    /// Advertisements that the module has reported since the start.
    package var reports: UInt64
    /// Reports of tracked beacons.
    package var readings: UInt64
    /// Reports of other devices.
    package var strangers: UInt64
    /// Reports dropped because there were too many.
    package var dropped: UInt64
    /// Reports that could not be read.
    package var unreadable: UInt64
    /// Number of beacons present now.
    package var present: Int
    /// Time since the last message from the module, in seconds.
    var lastHeardAgeSeconds: Double?

    /// Whether it receives now, or takes turns with advertising.
    package var isHearing: Bool { RemoteReceiver.State(rawValue: state).map { !$0.isDeaf } ?? false }

    package init(_ receiver: RemoteReceiver, at time: Timestamp) {
        name = receiver.configuration.name
        state = receiver.state.rawValue
        readings = receiver.counts.readings
        strangers = receiver.counts.strangers
        reports = readings + strangers
        dropped = receiver.counts.refused[RemoteReceiver.Counts.tooMany] ?? 0
        unreadable = receiver.counts.refused[RemoteReceiver.Counts.unreadable] ?? 0
        present = receiver.presentCount
        lastHeardAgeSeconds = receiver.counts.lastMessageAt.map { (max(0, (time - $0).inSeconds) * 10).rounded() / 10 }
    }
}
