/// How much more a subject sends than the reference power, as far as it is known.
package struct TransmitPower: Equatable, Sendable {
    /// Mean deviation from the reference power in dB.
    package var mean: Double
    /// Variance in dB².
    package var variance: Double

    package init(mean: Double = 0, variance: Double) {
        self.mean = mean
        self.variance = variance
    }
}
