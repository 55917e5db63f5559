package import FloorPlans

/// A spot of a survey: where somebody stood with a known badge, or a module hangs, and what receivers heard of it there.
package struct SurveySpot: Equatable, Sendable {
    /// Badge that was carried, as `uuid/major/minor`, or `modulePrefix` and the path of the module's receiver.
    package var badge: String
    /// Path of the floor.
    package var floor: String
    /// Position on the floor's plan, in metres.
    package var position: PlanPoint
    /// Start in seconds since 1970.
    package var startedAt: Int64
    /// Length in seconds.
    package var length: Int64
    /// What was heard, in the order of receivers.
    package var signals: [Signal]

    /// What one receiver heard at a spot.
    package struct Signal: Equatable, Sendable {
        /// Path of the receiver.
        package var receiver: String
        /// Mean RSSI in dBm.
        package var rssi: Double
        /// Number of seconds in which the receiver heard the badge, or what stands for the minutes in which it heard
        /// the module.
        package var seconds: Int

        package init(receiver: String, rssi: Double, seconds: Int) {
            self.receiver = receiver
            self.rssi = rssi
            self.seconds = seconds
        }
    }

    package init(
        badge: String, floor: String, position: PlanPoint, startedAt: Int64, length: Int64, signals: [Signal]
    ) {
        self.badge = badge
        self.floor = floor
        self.position = position
        self.startedAt = startedAt
        self.length = length
        self.signals = signals
    }

    /// Number of seconds of one receiver that count at most; more of them bring nothing new.
    private static let mostSeconds = 60

    /// Returns the readings of the spot by the receivers of a model; none for a floor that the model does not have.
    ///
    /// All have the time of the spot's start, so that cross-validation never divides a spot.
    package func readings(_ model: BuildingModel) -> [SurveyReading] {
        guard let floor = model.plans.firstIndex(where: { $0.path == floor }) else { return [] }
        return signals.flatMap { signal -> [SurveyReading] in
            guard let receiver = model.receiver(signal.receiver), signal.rssi.isFinite else { return [] }
            let reading = SurveyReading(
                badge: badge, floor: floor, position: position, receiver: receiver, rssi: signal.rssi,
                time: Double(startedAt))
            return Array(repeating: reading, count: min(max(0, signal.seconds), Self.mostSeconds))
        }
    }
}
