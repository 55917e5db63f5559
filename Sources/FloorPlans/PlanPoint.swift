/// A point on a floor plan, in metres from the plan's origin.
package struct PlanPoint: Hashable, Sendable {
    /// Metres along the first axis.
    package var x: Double
    /// Metres along the second axis.
    package var y: Double

    package init(x: Double, y: Double) {
        self.x = x
        self.y = y
    }

    /// Returns the distance to another point in metres.
    package func distance(to other: PlanPoint) -> Double {
        let (dx, dy) = (x - other.x, y - other.y)
        return (dx * dx + dy * dy).squareRoot()
    }
}
