import Glibc

/// Which minutes together are a contact. Thresholds are the policy's data.
public struct TogetherRule: Equatable, Sendable {
    /// From so alike on two are near each other in a minute, and close to each other.
    public var near: SimilarityLevel
    public var close: SimilarityLevel
    /// What a near minute counts that isn't close, and what a close one counts.
    public var nearWeight: Double
    public var closeWeight: Double
    public var period: ContactRule.Period
    /// Fewer than these in a period are no exposure.
    public var leastMinutes: Double
    public var probability: Probability

    public init(
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

    /// How sure a contact is, by logistic regression: logit P = `constant` + `minutes` ln(1 + near minutes of the period)
    /// + `run` ln(1 + the most of them in a row, at most `runLimit`).
    public struct Probability: Equatable, Sendable {
        public var constant: Double
        public var minutes: Double
        public var run: Double
        /// Minutes in a row; more of them make a contact no surer. People who sit a little too far apart all day look alike
        /// for hours.
        public var runLimit: Int

        public init(constant: Double, minutes: Double, run: Double, runLimit: Int = .max) {
            self.constant = constant
            self.minutes = minutes
            self.run = run
            self.runLimit = runLimit
        }

        /// - Parameter starts: when the near minutes of a period begin, in seconds since 1970, ascending.
        /// - Returns: 0 to 1.
        public func value(_ starts: some Sequence<Int64>) -> Double {
            var (count, run, longest) = (0, 0, 0)
            var before = Int64.min
            for start in starts {
                run = count > 0 && start - before == 60 ? run + 1 : 1
                longest = max(longest, run)
                before = start
                count += 1
            }
            let logit = constant + minutes * log(1 + Double(count)) + self.run * log(1 + Double(min(longest, runLimit)))
            return 1 / (1 + exp(-logit))
        }
    }
}
