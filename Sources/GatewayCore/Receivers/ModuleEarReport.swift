package import BeaconModel

/// How a module that listens is, in the health message.
package struct ModuleEarReport: Encodable, Equatable, Sendable {
    /// Its row of the inventory.
    package var name: String
    /// `waiting`, `hearing`, `paused`, `offline` or `silent`.
    package var state: String
    /// Advertisements that it reported since the start.
    package var reports: UInt64
    /// Those of beacons that are followed.
    package var readings: UInt64
    /// Those of others.
    package var strangers: UInt64
    /// Reports that were too many.
    package var dropped: UInt64
    /// Reports that couldn't be read.
    package var unreadable: UInt64
    /// Beacons that are there now.
    package var present: Int
    /// Since it was last known to hear, in seconds.
    var lastHeardAgeSeconds: Double?

    package init(_ ear: RemoteEar, at time: Timestamp) {
        name = ear.configuration.name
        state = ear.state.rawValue
        readings = ear.counts.readings
        strangers = ear.counts.strangers
        reports = readings + strangers
        dropped = ear.counts.refused[RemoteEar.Counts.tooMany] ?? 0
        unreadable = ear.counts.refused[RemoteEar.Counts.unreadable] ?? 0
        present = ear.presentCount
        lastHeardAgeSeconds = ear.counts.lastMessageAt.map { (max(0, (time - $0).inSeconds) * 10).rounded() / 10 }
    }
}
