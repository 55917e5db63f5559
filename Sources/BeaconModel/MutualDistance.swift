/// The distance between two beacons with its uncertainty.
public struct MutualDistance: Equatable, Sendable {
    /// Median, in metres.
    public var metres: Double
    /// Bounds of the 90 % interval: the distance is between `lower` and `upper`, in metres, with a probability of 90 %.
    public var lower: Double
    /// Upper bound, in metres.
    public var upper: Double

    /// Creates a distance from its parts.
    public init(metres: Double, lower: Double, upper: Double) {
        self.metres = metres
        self.lower = lower
        self.upper = upper
    }
}
