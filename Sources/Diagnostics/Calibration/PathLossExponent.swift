import RealModule

/// The path-loss exponent from the RSSI at two distances.
package enum PathLossExponent {
    /// Free space; nobody's exponent is far from it over a few metres in free line of sight.
    package static let prior = 2.0
    /// Standard deviation around it.
    static let priorDeviation = 0.5
    /// dB. At one place the reflections of floor and walls add to or take from the signal, and no time spent there
    /// averages that out: the standard error of the mean doesn't have it.
    static let placement = 2.0
    package static let range = 1.0...4.0

    /// `n = (A_near - A_far) / (10 log10(far / near))`, and the mean of that and the prior, each weighted by the inverse
    /// of its variance; within `range`.
    ///
    /// - Parameters:
    ///   - near: RSSI in dBm, its standard error in dB, and the distance in m.
    ///   - far: at the greater distance.
    /// - Returns: `nil` when the far one is stronger.
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
        /// dBm.
        package var rssi: Double
        /// Standard error, dB.
        package var error: Double
        /// m.
        package var distance: Double
    }
}
