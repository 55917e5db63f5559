/// Where somebody can be for a while: a desk, a seat at a table, a spot to stand on.
struct Spot: Equatable, Sendable {
    /// Metres on the plan of the floor.
    var x: Double
    var y: Double
    /// From 0.
    var floor: Int
    /// Radians from the direction of x.
    var facing: Double
}
