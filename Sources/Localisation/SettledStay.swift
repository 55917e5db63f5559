package import FloorPlans

/// A located stay with the names of its floor and rooms, as it is stored.
package struct SettledStay: Equatable, Sendable {
    /// Start and end in seconds since 1970.
    package var start: Int64
    package var end: Int64
    /// Path of the most probable floor.
    package var floor: String
    /// Name of the room; `nil` if no room has a probability of one half.
    package var room: String?
    /// Probability of the room, or of the floor without one.
    package var probability: Double
    /// Mean position on the floor, in metres.
    package var position: PlanPoint
    /// Radius round `position` within which the subject was with a probability of 90 %, in metres.
    package var radius: Double
    /// Whether the floor's model was corrected by a survey.
    package var isSurveyed: Bool
    /// Where the subject was in detail.
    package var rooms: SettledSquares

    package init(
        start: Int64, end: Int64, floor: String, room: String?, probability: Double, position: PlanPoint,
        radius: Double, isSurveyed: Bool, rooms: SettledSquares
    ) {
        self.start = start
        self.end = end
        self.floor = floor
        self.room = room
        self.probability = probability
        self.position = position
        self.radius = radius
        self.isSurveyed = isSurveyed
        self.rooms = rooms
    }

    /// Probability from which a room is named.
    package static let leastProbability = 0.5

    /// Creates the stay.
    ///
    /// - Parameter surveyed: floors that count as surveyed, as indexes of the model's plans.
    package init(_ stay: LocatedStay, _ model: BuildingModel, surveyed: Set<Int>) {
        let plan = model.plans[stay.estimate.floor]
        let best = stay.estimate.best
        let room = best.probability >= Self.leastProbability ? best.room.map { plan.rooms[$0].name } : nil
        self.init(
            start: Int64(stay.start), end: Int64(stay.end), floor: plan.path, room: room,
            probability: room == nil ? stay.estimate.floorProbability : best.probability,
            position: stay.estimate.position, radius: stay.estimate.radius,
            isSurveyed: surveyed.contains(stay.estimate.floor), rooms: SettledSquares(stay.squares, model))
    }

    /// Returns how near two subjects were.
    ///
    /// - Parameter distance: distance within which they are near, in metres.
    package func nearness(to other: SettledStay, within distance: Double) -> SettledSquares.Nearness {
        rooms.nearness(to: other.rooms, within: distance)
    }
}
