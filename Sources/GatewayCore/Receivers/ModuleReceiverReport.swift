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

    package init(_ ear: RemoteReceiver, at time: Timestamp) {
        name = ear.configuration.name
        state = ear.state.rawValue
        readings = ear.counts.readings
        strangers = ear.counts.strangers
        reports = readings + strangers
        dropped = ear.counts.refused[RemoteReceiver.Counts.tooMany] ?? 0
        unreadable = ear.counts.refused[RemoteReceiver.Counts.unreadable] ?? 0
        present = ear.presentCount
        lastHeardAgeSeconds = ear.counts.lastMessageAt.map { (max(0, (time - $0).inSeconds) * 10).rounded() / 10 }
    }
}
