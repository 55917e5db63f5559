public import BeaconModel
import Glibc

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

    /// A badge or beacon heard by a fixed gateway: exponent 2.0 to 2.2 in open rooms, 4.5 to 7 dB of shadowing with
    /// and without walls (fitted to the UJI library and office and the Kolakowski flat recordings).
    public static let beacon = DistanceModel(
        exponent: 2.1, shadowing: 6, priorMedian: 3, priorSpread: 1, defaultMeasuredPower: -59)

    /// A phone carried on the body that doesn't say its transmit power: exponent 1.0 to 1.5, about 9.5 dB between
    /// devices and carrying positions, -65.6 dBm at 1 m (fitted to the PACT MIT matrix recordings).
    public static let phone = DistanceModel(
        exponent: 1.5, shadowing: 9.5, priorMedian: 3, priorSpread: 1, defaultMeasuredPower: -65.6)

    /// The distance given a smoothed RSSI.
    ///
    /// - Parameters:
    ///   - rssi: dBm.
    ///   - variance: how uncertain the smoothed value itself is, in dB².
    ///   - measuredPower: RSSI at 1 m in dBm; `nil` for a device that doesn't say it.
    public func estimate(rssi: Double, variance: Double, measuredPower: Int8?) -> DistanceEstimate {
        let slope = 10 * exponent / log(10)
        let reference = measuredPower.map(Double.init) ?? defaultMeasuredPower
        let noise = shadowing * shadowing + max(0, variance)
        let priorVariance = priorSpread * priorSpread
        let posteriorVariance = 1 / (1 / priorVariance + slope * slope / noise)
        let mean = posteriorVariance * (log(priorMedian) / priorVariance + slope * (reference - rssi) / noise)
        let deviation = posteriorVariance.squareRoot()
        // 5 % and 95 % points of the standard normal distribution.
        let reach = 1.644_853_626_951_472_7 * deviation
        return DistanceEstimate(
            metres: exp(mean), lower: exp(mean - reach), upper: exp(mean + reach),
            probabilityWithin: Within(
                threeMetres: normalCumulative((log(3) - mean) / deviation),
                sixMetres: normalCumulative((log(6) - mean) / deviation)))
    }
}

/// Φ, the cumulative distribution of the standard normal distribution.
private func normalCumulative(_ value: Double) -> Double { 0.5 * erfc(-value / 2.0.squareRoot()) }

extension ProximityClass {
    /// Near or immediate means within 3 m; immediate means within 0.5 m.
    init(_ distance: DistanceEstimate?) {
        switch distance?.metres {
        case nil: self = .unknown
        case let metres? where metres <= 0.5: self = .immediate
        case let metres? where metres <= 3: self = .near
        default: self = .far
        }
    }
}
