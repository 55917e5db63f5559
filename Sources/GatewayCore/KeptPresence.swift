import BeaconModel
package import Proximity

/// What a gateway knows of who is here, kept over its end, however it ends.
package struct KeptPresence: Codable, Sendable {
    /// The run in which it was known.
    package var boot: UInt64
    package var tracker: TrackerState
    package var calibration: AutomaticCalibration.State?
    /// Of remote ears, by name.
    package var ears: [String: TrackerState]?
}

/// What has changed of it.
package struct PresenceNote: Equatable, Sendable {
    package var note: TrackerNote
    /// The remote ear by which it is known; `nil`: the gateway itself.
    package var ear: String?

    package init(note: TrackerNote, ear: String? = nil) {
        self.note = note
        self.ear = ear
    }
}
