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

    /// How sure a contact is, by logistic regression: logit P = `constant` + `minutes` ln(1 + counted minutes)
    /// + `similarity` (mean similarity - 0.9) / 0.1.
    public struct Probability: Equatable, Sendable {
        public var constant: Double
        public var minutes: Double
        public var similarity: Double

        public init(constant: Double, minutes: Double, similarity: Double) {
            self.constant = constant
            self.minutes = minutes
            self.similarity = similarity
        }

        /// - Parameters:
        ///   - minutes: near minutes of the period.
        ///   - similarity: their mean similarity.
        /// - Returns: 0 to 1.
        public func value(minutes: Int, similarity: Double) -> Double {
            let logit =
                constant + self.minutes * log(1 + Double(minutes)) + self.similarity * (similarity - 0.9) / 0.1
            return 1 / (1 + exp(-logit))
        }
    }
}
