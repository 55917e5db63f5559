import RealModule

/// A distance, in metres, of which the natural logarithm has a normal distribution.
public struct LogNormal: Equatable, Sendable {
    /// Of the natural logarithm of the metres.
    public var mean: Double
    /// Of the natural logarithm of the metres; above 0.
    public var deviation: Double

    /// How many standard deviations of a normal distribution hold 90 % on both sides of its mean together.
    public static let reachOf90Percent = 1.644_853_626_951_472_7

    public init(mean: Double, deviation: Double) {
        self.mean = mean
        self.deviation = deviation
    }

    /// The metres that lie so many standard deviations above the median.
    public func quantile(_ deviations: Double) -> Double { Double.exp(mean + deviations * deviation) }

    /// The probability, 0 to 1, that the distance is at most so many metres; 0 of none.
    public func probability(within metres: Double) -> Double {
        guard metres > 0 else { return 0 }
        return 0.5 * Double.erfc((mean - Double.log(metres)) / (deviation * 2.0.squareRoot()))
    }
}
