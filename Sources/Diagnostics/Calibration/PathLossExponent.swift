import RealModule

/// Estimate of the path-loss exponent from the RSSI at two distances.
package enum PathLossExponent {
    /// Prior mean: free space. Over a few metres in free line of sight, the exponent is never far from it.
    package static let prior = 2.0
    /// Standard deviation of the prior.
    static let priorDeviation = 0.5
    /// Standard deviation due to placement, in dB. At one place the reflections of floor and walls add to or take from
    /// the signal, and no time spent there averages that out: the standard error of the mean does not include it.
    static let placement = 2.0
    package static let range = 1.0...4.0

    /// Estimates the exponent: the mean of `n = (A_near - A_far) / (10 log10(far / near))` and the prior, each weighted
    /// by the inverse of its variance and limited to `range`.
    ///
    /// - Parameters:
    ///   - near: RSSI in dBm, its standard error in dB, and the distance in m.
    ///   - far: the same at the greater distance.
    /// - Returns: the exponent; `nil` when the far RSSI is stronger or the distances are not in order.
    package static func estimate(near: Point, far: Point) -> Double? {
        guard far.rssi <= near.rssi, far.distance > near.distance, near.distance > 0 else { return nil }
        let decade = 10 * Double.log10(far.distance / near.distance)
        let measured = (near.rssi - far.rssi) / decade
        let variance =
            (near.error * near.error + far.error * far.error + 2 * placement * placement) / (decade * decade)
        let priorVariance = priorDeviation * priorDeviation
        let mean = (measured / variance + prior / priorVariance) / (1 / variance + 1 / priorVariance)
        return min(max(mean, range.lowerBound), range.upperBound)
    }

    package struct Point: Equatable, Sendable {
        /// RSSI in dBm.
        package var rssi: Double
        /// Standard error in dB.
        package var error: Double
        /// Distance in m.
        package var distance: Double
    }
}
