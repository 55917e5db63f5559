package import BeaconModel

/// Floor plans made from the configuration of ESPresense-companion, and what could not be taken over.
package struct CompanionImport: Equatable, Sendable {
    package var plans: [FloorPlan] = []
    /// Nodes with their positions on a floor's plan.
    package var nodes: [Node] = []
    /// Sentences about what was left out or changed, and what is left to do.
    package var notes: [String] = []

    /// A node of that program: a receiver that hangs at a place.
    package struct Node: Equatable, Sendable {
        package var name: String
        /// The floor as in topics; `nil` if it is none of the plans'.
        package var floor: String?
        /// Position on the floor's plan, with the height above the floor.
        package var position: Place.Position
        /// Room that contains it.
        package var room: String?

        /// Line for a gateway's table `place`.
        package var configuration: String {
            let (x, y, z) = (
                FloorPlanFile.number(position.x), FloorPlanFile.number(position.y), FloorPlanFile.number(position.z)
            )
            return "position = { x = \(x), y = \(y), z = \(z) }"
        }
    }
}
