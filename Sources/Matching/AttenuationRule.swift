import RealModule

/// Minutes weighted by the attenuation between two devices, in windows, as the second version of Exposure Notifications
/// does (`ExposureWindow`, `DailySummariesConfig`).
package struct AttenuationRule: Equatable, Sendable {
    /// The upper ends of the buckets but the last, in dB, ascending.
    package var thresholds: [Double]
    /// For each bucket: one more than there are thresholds.
    package var weights: [Double]
    /// The longest window, in seconds.
    package var window: Int64
    /// Windows with fewer weighted minutes don't count.
    package var leastWindowMinutes: Double
    /// No attenuation is measured between the two; it follows from their distance.
    package var pathLoss: PathLoss

    package init(
        thresholds: [Double], weights: [Double], window: Int64, leastWindowMinutes: Double, pathLoss: PathLoss
    ) {
        self.thresholds = thresholds
        self.weights = weights
        self.window = window
        self.leastWindowMinutes = leastWindowMinutes
        self.pathLoss = pathLoss
    }

    /// The log-distance model (ITU-R P.1238): attenuation = `atOneMetre` + 10 `exponent` log10(metres).
    package struct PathLoss: Equatable, Sendable {
        /// dB.
        package var atOneMetre: Double
        package var exponent: Double

        package init(atOneMetre: Double, exponent: Double) {
            self.atOneMetre = atOneMetre
            self.exponent = exponent
        }

        /// The metres at which an attenuation, in dB, is met.
        package func distance(of attenuation: Double) -> Double {
            Double.pow(10, (attenuation - atOneMetre) / (10 * exponent))
        }
    }

    /// The weight that is to be expected of a distance of which the probabilities are known.
    ///
    /// - Parameter within: the probability that the two were within so many metres of each other.
    package func expectedWeight(_ within: (Double) -> Double) -> Double {
        var (sum, below) = (0.0, 0.0)
        for (threshold, weight) in zip(thresholds, weights) {
            let probability = max(within(pathLoss.distance(of: threshold)), below)
            sum += weight * (probability - below)
            below = probability
        }
        return sum + (weights.last ?? 0) * (1 - below)
    }

    /// What counts of a window's minutes.
    func counted(_ minutes: Double) -> Double { minutes >= leastWindowMinutes ? minutes : 0 }
}
