import FloorPlans
import Localisation

/// Readings of subjects whose positions are known.
struct Recording {
    /// Name of its folder, by which figures are named.
    var name: String
    var plans: [FloorPlan]
    var receivers: [ReceiverSite]
    var readings: [Reading]
    var truth: [TruePosition]
    /// Readings and positions of a calibration walk; empty if there was none.
    var survey: [SurveyReading] = []
    /// Whether each position was recorded by itself, so that there is nothing to follow.
    var isStatic = false
    /// What is striking but no mistake, a line each.
    var notes: [String] = []

    /// One advertisement, as one receiver heard it.
    struct Reading {
        /// Seconds, from any origin.
        var time: Double
        var subject: String
        /// Index of the receiver.
        var receiver: Int
        /// RSSI in dBm.
        var rssi: Double
    }

    /// Where a subject was.
    struct TruePosition {
        /// Seconds, from the same origin.
        var time: Double
        var subject: String
        var floor: Int
        var position: PlanPoint?
        /// Index of the room in the floor's plan; `nil` for the floor between rooms.
        var room: Int?
        /// Whether the recording says the room.
        var isRoomKnown: Bool
    }
}
