public import BeaconModel
import RealModule

/// Log-distance path loss with a log-normal prior on the distance: the posterior of the distance is log-normal too.
///
/// `RSSI = A - 10 n log10(d) + e`, where `A` is the RSSI at 1 m, `n` the path-loss exponent and `e` has a standard
/// deviation of `shadowing` that doesn't shrink with more packets, because packets of one moment share it
/// (T. S. Rappaport, "Wireless Communications", 4.9; Gelman et al., "Bayesian Data Analysis", 2.5).
public struct DistanceModel: Equatable, Sendable {
    /// `n`, dimensionless.
    public var exponent: Double
    /// dB.
    public var shadowing: Double
    /// Median of the prior, in metres.
    public var priorMedian: Double
    /// Standard deviation of the natural logarithm of the distance in the prior.
    public var priorSpread: Double
    /// The RSSI at 1 m, in dBm, of a device that doesn't say it.
    public var defaultMeasuredPower: Double

    public init(
        exponent: Double, shadowing: Double, priorMedian: Double, priorSpread: Double, defaultMeasuredPower: Double
    ) {
        self.exponent = exponent
        self.shadowing = shadowing
        self.priorMedian = priorMedian
        self.priorSpread = priorSpread
        self.defaultMeasuredPower = defaultMeasuredPower
    }

    /// The distance given a smoothed RSSI.
    ///
    /// - Parameters:
    ///   - rssi: dBm.
    ///   - variance: how uncertain the smoothed value itself is, in dB².
    ///   - measuredPower: RSSI at 1 m in dBm; `nil` for a device that doesn't say it.
    public func estimate(rssi: Double, variance: Double, measuredPower: Double?) -> DistanceEstimate {
        DistanceEstimate(posterior(rssi: rssi, variance: variance, measuredPower: measuredPower))
    }

    /// The distribution of the distance given a smoothed RSSI; parameters as of `estimate`.
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
    /// What is said of a distribution.
    public init(_ distribution: LogNormal) {
        self.init(
            metres: distribution.quantile(0), lower: distribution.quantile(-LogNormal.reachOf90Percent),
            upper: distribution.quantile(LogNormal.reachOf90Percent),
            probabilityWithin: Within(
                threeMetres: distribution.probability(within: 3), sixMetres: distribution.probability(within: 6)))
    }
}
