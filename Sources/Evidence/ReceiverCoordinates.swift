/// The position of a receiver on its floor's plan, in millimetres.
///
/// `x` and `y` count from the plan's origin, `z` from the floor.
package struct ReceiverCoordinates: Hashable, Sendable {
    package var x: Int64
    package var y: Int64
    package var z: Int64

    /// Greatest coordinate in metres, that of floor plans.
    private static let farthest = 10_000.0

    /// Creates a position from metres; `nil` if it cannot be one of a building.
    package init?(x: Double, y: Double, z: Double) {
        let range = -Self.farthest...Self.farthest
        guard range.contains(x), range.contains(y), range.contains(z) else { return nil }
        func millimetres(_ metres: Double) -> Int64 { Int64((metres * 1000).rounded()) }
        (self.x, self.y, self.z) = (millimetres(x), millimetres(y), millimetres(z))
    }

    package init(millimetres x: Int64, _ y: Int64, _ z: Int64) { (self.x, self.y, self.z) = (x, y, z) }
}
