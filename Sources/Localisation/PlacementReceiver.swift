package import FloorPlans

/// A receiver for which a position is known or wanted.
package struct PlacementReceiver: Equatable, Sendable {
    /// Path of the receiver: `site/building/floor/gateway`, or with its own name after it.
    package var path: String
    /// Floor of the receiver, as an index of the building's plans.
    package var floor: Int
    /// Position on the floor's plan; `nil` if it is wanted.
    package var position: PlanPoint?
    /// Height above the floor in metres.
    package var height: Double
    /// Name of the room that the receiver claims.
    package var room: String?

    /// Height of a receiver above the floor if it is not known, in metres.
    package static let usualHeight = 2.0

    package init(
        path: String, floor: Int, position: PlanPoint? = nil, height: Double = usualHeight, room: String? = nil
    ) {
        self.path = path
        self.floor = floor
        self.position = position
        self.height = height
        self.room = room
    }
}
