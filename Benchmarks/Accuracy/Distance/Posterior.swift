import Glibc

/// What an estimator holds of a distance.
protocol Posterior: Sendable {
    /// The distance in metres below which it is with that probability (0 < `probability` < 1).
    func quantile(_ probability: Double) -> Double
    /// The probability that it is at most so many metres.
    func probability(within metres: Double) -> Double
    /// False when there is nothing but a point: quantiles and probabilities aren't scored then.
    var isDistribution: Bool { get }
}

extension Posterior {
    /// Metres.
    var median: Double { quantile(0.5) }
    var isDistribution: Bool { true }
}

/// The logarithm of the distance is normal.
struct LogNormalPosterior: Posterior {
    /// Mean and standard deviation of the natural logarithm of the metres.
    var mean: Double
    var deviation: Double

    var median: Double { exp(mean) }
    func quantile(_ probability: Double) -> Double { exp(mean + deviation * Normal.quantile(probability)) }
    func probability(within metres: Double) -> Double { Normal.cumulative((log(metres) - mean) / deviation) }
}

/// A distance without any doubt.
struct PointPosterior: Posterior {
    var metres: Double

    var isDistribution: Bool { false }
    func quantile(_ probability: Double) -> Double { metres }
    func probability(within limit: Double) -> Double { metres <= limit ? 1 : 0 }
}
