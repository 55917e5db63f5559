import RealModule

/// Distance, in metres, whose natural logarithm has a normal distribution.
public struct LogNormal: Equatable, Sendable {
    /// Mean of the natural logarithm of the metres.
    public var mean: Double
    /// Standard deviation of the natural logarithm of the metres; above 0.
    public var deviation: Double

    /// Number of standard deviations on each side of the mean that enclose 90 % of a normal distribution.
    public static let reachOf90Percent = 1.644_853_626_951_472_7

    /// Creates a distribution from the mean and the standard deviation of the logarithm.
    public init(mean: Double, deviation: Double) {
        self.mean = mean
        self.deviation = deviation
    }

    /// Returns the distance, in metres, that lies the given number of standard deviations above the median.
    public func quantile(_ deviations: Double) -> Double { Double.exp(mean + deviations * deviation) }

    /// Returns the probability, 0 to 1, that the distance is at most the given metres; 0 for zero or less.
    public func probability(within metres: Double) -> Double {
        guard metres > 0 else { return 0 }
        return 0.5 * Double.erfc((mean - Double.log(metres)) / (deviation * 2.0.squareRoot()))
    }
}
