import BeaconModel
package import Proximity

/// Persisted presence of a gateway, which survives the end of the process, however it ends.
package struct PersistedPresence: Codable, Sendable {
    /// Number of the run that recorded it.
    package var boot: UInt64
    package var tracker: TrackerState
    package var calibration: AutomaticCalibration.State?
    /// Tracker states of remote receivers, by name.
    package var ears: [String: TrackerState]?
}

/// A journal entry: a change to the persisted presence.
package struct PresenceNote: Equatable, Sendable {
    package var note: TrackerNote
    /// The remote receiver that the entry belongs to; `nil`: the gateway itself.
    package var ear: String?

    package init(note: TrackerNote, ear: String? = nil) {
        self.note = note
        self.ear = ear
    }
}
