package import FloorPlans

/// What a receiver heard of a known subject at a known position.
package struct SurveyReading: Equatable, Sendable {
    /// Badge that was carried; each has a power of its own.
    package var badge: String
    /// Floor, as an index of the building's plans.
    package var floor: Int
    package var position: PlanPoint
    /// Index of the receiver in the model.
    package var receiver: Int
    /// RSSI in dBm.
    package var rssi: Double
    /// Time in seconds.
    package var time: Double

    package init(
        badge: String, floor: Int, position: PlanPoint, receiver: Int, rssi: Double, time: Double
    ) {
        self.badge = badge
        self.floor = floor
        self.position = position
        self.receiver = receiver
        self.rssi = rssi
        self.time = time
    }
}
