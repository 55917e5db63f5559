package import FloorPlans

/// A suggested position of a receiver, or the reason why there is none.
package struct PlacementSuggestion: Equatable, Sendable {
    /// Path of the receiver.
    package var path: String
    /// Floor of the receiver, as an index of the building's plans.
    package var floor: Int
    /// Number of receivers that it hears or that hear it, as far as they count.
    package var links: Int
    package var outcome: Outcome

    /// A position, or why there is none.
    package enum Outcome: Equatable, Sendable {
        case placed(Placement)
        case missing(Reason)
    }

    /// A position with its error.
    package struct Placement: Equatable, Sendable {
        package var position: PlanPoint
        /// Room, as an index of the plan's rooms; `nil` between rooms.
        package var room: Int?
        /// Probability that the receiver is in that room, from 0 to 1.
        package var roomProbability: Double
        /// Radius in metres in which the receiver is with a probability of 90 %.
        package var radius: Double
        /// Whether there is a known position on the same floor, or on the next one above or below. Without one, only rooms
        /// and walls tell sides apart.
        package var isAnchored: Bool
    }

    /// The reason why a receiver is not placed.
    package enum Reason: String, Equatable, Sendable {
        /// The receiver hears no other receiver's beacon, and no other one hears its own.
        case unheard
        /// Only one other receiver hears it or is heard by it: that gives a distance, and no direction.
        case singleLink = "single-link"
        /// The floor has no area.
        case noFloor = "no-floor"
    }

    package var placement: Placement? {
        if case .placed(let placement) = outcome { placement } else { nil }
    }
}
