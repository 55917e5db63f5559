public import BeaconModel
import RealModule

/// Log-distance path loss with a log-normal prior on the distance; the posterior of the distance is log-normal too.
///
/// `RSSI = A - 10 n log10(d) + e`, where `A` is the RSSI at 1 m, `n` the path-loss exponent and `e` has a standard
/// deviation of `shadowing`. It does not shrink with more packets, because packets of one moment share it (T. S.
/// Rappaport, "Wireless Communications", 4.9; Gelman et al., "Bayesian Data Analysis", 2.5).
public struct DistanceModel: Equatable, Sendable {
    /// Path-loss exponent `n`, dimensionless.
    public var exponent: Double
    /// Standard deviation of shadowing, in dB.
    public var shadowing: Double
    /// Median of the prior, in metres.
    public var priorMedian: Double
    /// Standard deviation of the natural logarithm of the distance in the prior.
    public var priorSpread: Double
    /// RSSI at 1 m, in dBm, of a device that does not state it.
    public var defaultMeasuredPower: Double

    /// Creates a model from its parameters.
    public init(
        exponent: Double, shadowing: Double, priorMedian: Double, priorSpread: Double, defaultMeasuredPower: Double
    ) {
        self.exponent = exponent
        self.shadowing = shadowing
        self.priorMedian = priorMedian
        self.priorSpread = priorSpread
        self.defaultMeasuredPower = defaultMeasuredPower
    }

    /// Returns the distance for a smoothed RSSI.
    ///
    /// - Parameters:
    ///   - rssi: dBm.
    ///   - variance: variance of the smoothed value itself, in dB².
    ///   - measuredPower: RSSI at 1 m in dBm; `nil` for a device that does not state it.
    public func estimate(rssi: Double, variance: Double, measuredPower: Double?) -> DistanceEstimate {
        DistanceEstimate(posterior(rssi: rssi, variance: variance, measuredPower: measuredPower))
    }

    /// Returns the distribution of the distance for a smoothed RSSI; the parameters are those of `estimate`.
    public func posterior(rssi: Double, variance: Double, measuredPower: Double?) -> LogNormal {
        let slope = 10 * exponent / Double.log(10)
        let reference = measuredPower ?? defaultMeasuredPower
        let noise = shadowing * shadowing + max(0, variance)
        let priorVariance = priorSpread * priorSpread
        let posteriorVariance = 1 / (1 / priorVariance + slope * slope / noise)
        let mean = posteriorVariance * (Double.log(priorMedian) / priorVariance + slope * (reference - rssi) / noise)
        return LogNormal(mean: mean, deviation: posteriorVariance.squareRoot())
    }
}

extension DistanceEstimate {
    /// Creates an estimate from a distribution.
    public init(_ distribution: LogNormal) {
        self.init(
            metres: distribution.quantile(0), lower: distribution.quantile(-LogNormal.reachOf90Percent),
            upper: distribution.quantile(LogNormal.reachOf90Percent),
            probabilityWithin: Within(
                threeMetres: distribution.probability(within: 3), sixMetres: distribution.probability(within: 6)))
    }
}
