package import FloorPlans
package import Matching

/// Where a subject is now, as it is shown.
package struct LivePosition: Equatable, Sendable {
    package var subject: SubjectIdentity
    /// The floor as `site/building/floor`.
    package var floor: String
    package var place: Place
    /// Probability of the room, of both rooms together, or of the floor; 0 while the place is conflicting.
    package var probability: Double
    /// Mean position on the floor's plan; `nil` while the place is conflicting.
    package var position: PlanPoint?
    /// Radius round the position within which the subject is with a probability of 90 %, in metres.
    package var radius: Double?
    /// Time since which the place holds, in seconds on the clock of `LiveFloors`.
    package var since: Double
    /// Time at which the subject was last heard, on the same clock.
    package var heardAt: Double

    package init(
        subject: SubjectIdentity, floor: String, place: Place, probability: Double, position: PlanPoint?,
        radius: Double?, since: Double, heardAt: Double
    ) {
        self.subject = subject
        self.floor = floor
        self.place = place
        self.probability = probability
        self.position = position
        self.radius = radius
        self.since = since
        self.heardAt = heardAt
    }

    /// What can be said of a subject's place.
    package enum Place: Equatable, Sendable {
        case room(String)
        /// Near the border of two rooms; one of them can be the floor between rooms, which has no name.
        case between([String])
        /// Somewhere on the floor, or between its rooms.
        case floor
        /// One identity is heard at places that are too far from each other: a badge was copied, or a gateway lies.
        case conflicting

        /// Name of the state in documents.
        package var state: String {
            switch self {
            case .room: "room"
            case .between: "between"
            case .floor: "floor"
            case .conflicting: "conflicting"
            }
        }

        /// Rooms that are named.
        package var rooms: [String] {
            switch self {
            case .room(let room): [room]
            case .between(let rooms): rooms
            case .floor, .conflicting: []
            }
        }
    }

    /// Distance in metres from which a changed position is told.
    private static let leastMove = 0.5
    /// Difference of a probability from which it is told.
    private static let leastDifference = 0.1

    /// Returns whether a position differs from this one by so much that it is told.
    func differs(from other: LivePosition) -> Bool {
        if floor != other.floor || place != other.place { return true }
        if abs(probability - other.probability) >= Self.leastDifference { return true }
        if abs((radius ?? 0) - (other.radius ?? 0)) >= Self.leastMove { return true }
        guard let position, let before = other.position else { return (position == nil) != (other.position == nil) }
        return position.distance(to: before) >= Self.leastMove
    }
}
