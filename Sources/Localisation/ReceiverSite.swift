package import FloorPlans

/// A receiver at a known position in a building.
package struct ReceiverSite: Equatable, Sendable {
    /// Path of the receiver: `site/building/floor/gateway`, or with its own name after it.
    package var path: String
    /// Floor of the receiver, as an index of the building's plans.
    package var floor: Int
    /// Position on the floor's plan.
    package var position: PlanPoint
    /// Height above the floor in metres.
    package var height: Double
    /// How much more than others the receiver reports, in dB.
    package var offset: Double

    package init(path: String, floor: Int, position: PlanPoint, height: Double = 2, offset: Double = 0) {
        self.path = path
        self.floor = floor
        self.position = position
        self.height = height
        self.offset = offset
    }
}
