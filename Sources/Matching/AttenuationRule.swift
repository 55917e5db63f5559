import RealModule

/// Minutes weighted by the attenuation between two devices, in windows, as in the second version of Exposure
/// Notifications (`ExposureWindow`, `DailySummariesConfig`).
package struct AttenuationRule: Equatable, Sendable {
    /// Upper bounds of all buckets but the last, in dB, ascending.
    package var thresholds: [Double]
    /// Weight of each bucket; one more than there are thresholds.
    package var weights: [Double]
    /// Maximum length of a window, in seconds.
    package var window: Int64
    /// Minimum weighted minutes of a window; windows with fewer do not count.
    package var leastWindowMinutes: Double
    /// Model that derives the attenuation from the distance. The attenuation between the two devices is not measured.
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
        /// Attenuation at one metre, in dB.
        package var atOneMetre: Double
        package var exponent: Double

        package init(atOneMetre: Double, exponent: Double) {
            self.atOneMetre = atOneMetre
            self.exponent = exponent
        }

        /// Returns the distance in metres at which an attenuation, in dB, is reached.
        package func distance(of attenuation: Double) -> Double {
            Double.pow(10, (attenuation - atOneMetre) / (10 * exponent))
        }
    }

    /// Returns the expected weight for a distance with a known probability distribution.
    ///
    /// - Parameter within: returns the probability that the two were within the given number of metres of each other.
    package func expectedWeight(_ within: (Double) -> Double) -> Double {
        var (sum, below) = (0.0, 0.0)
        for (threshold, weight) in zip(thresholds, weights) {
            let probability = max(within(pathLoss.distance(of: threshold)), below)
            sum += weight * (probability - below)
            below = probability
        }
        return sum + (weights.last ?? 0) * (1 - below)
    }

    /// Returns the minutes of a window that count: all of them, or 0 below the minimum.
    func counted(_ minutes: Double) -> Double { minutes >= leastWindowMinutes ? minutes : 0 }
}
