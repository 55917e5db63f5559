import RealModule

/// Rule for which minutes together are a contact. The thresholds are data of the policy.
package struct TogetherRule: Equatable, Sendable {
    /// Minimum levels at which two are near each other in a minute, and close to each other.
    package var near: SimilarityLevel
    package var close: SimilarityLevel
    /// Weight of a minute that is near but not close, and that of a close one.
    package var nearWeight: Double
    package var closeWeight: Double
    package var period: ContactRule.Period
    /// Minimum minutes in a period for an exposure.
    package var leastMinutes: Double
    package var probability: Probability

    package init(
        near: SimilarityLevel, close: SimilarityLevel, nearWeight: Double = 1, closeWeight: Double = 1,
        period: ContactRule.Period, leastMinutes: Double, probability: Probability
    ) {
        self.near = near
        self.close = close
        self.nearWeight = nearWeight
        self.closeWeight = closeWeight
        self.period = period
        self.leastMinutes = leastMinutes
        self.probability = probability
    }

    /// Probability of a contact, by logistic regression:
    ///
    ///     logit P = constant + minutes ln(1 + near minutes of the period)
    ///             + run ln(1 + min(r, bend)) + beyond max(0, ln(1 + r) - ln(1 + bend))
    ///
    /// where r is the greatest number of consecutive near minutes.
    package struct Probability: Equatable, Sendable {
        package var constant: Double
        package var minutes: Double
        package var run: Double
        /// Number of consecutive minutes above which further ones add less evidence: subjects who sit a little too far
        /// apart all day are similar for hours, too.
        package var bend: Int
        package var beyond: Double

        package init(constant: Double, minutes: Double, run: Double, bend: Int = .max, beyond: Double = 0) {
            self.constant = constant
            self.minutes = minutes
            self.run = run
            self.bend = bend
            self.beyond = beyond
        }

        /// Returns the probability, 0 to 1.
        ///
        /// - Parameter starts: starts of the near minutes of a period, in seconds since 1970, ascending.
        package func value(_ starts: some Sequence<Int64>) -> Double {
            var (count, run, longest) = (0, 0, 0)
            var before = Int64.min
            for start in starts {
                run = count > 0 && start - before == 60 ? run + 1 : 1
                longest = max(longest, run)
                before = start
                count += 1
            }
            let (whole, bent) = (Double.log(1 + Double(longest)), Double.log(1 + Double(min(longest, bend))))
            let logit = constant + minutes * Double.log(1 + Double(count)) + self.run * bent + beyond * (whole - bent)
            return 1 / (1 + Double.exp(-logit))
        }
    }
}
