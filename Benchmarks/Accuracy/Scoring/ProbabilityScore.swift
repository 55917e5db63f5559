import Glibc

/// How well probabilities agree with what was so.
struct ProbabilityScore: Sendable {
    private(set) var count = 0
    private(set) var decisions = Decisions()
    private var squares = 0.0
    private var logs = 0.0
    private var bins = [Bin](repeating: Bin(), count: 10)

    private struct Bin: Sendable {
        var count = 0
        var positives = 0
        var sum = 0.0
    }

    /// - Parameter probability: 0 to 1. One that isn't a number counts as 0.
    mutating func add(_ probability: Double, _ truth: Bool) {
        let probability = probability.isNaN ? 0 : min(max(probability, 0), 1)
        count += 1
        decisions.add(probability >= 0.5, truth: truth)
        let error = probability - (truth ? 1 : 0)
        squares += error * error
        // Certainty that is wrong costs as much as a probability of one in a million.
        logs -= log(max(1e-6, truth ? probability : 1 - probability))
        let bin = min(bins.count - 1, Int(probability * Double(bins.count)))
        bins[bin].count += 1
        bins[bin].positives += truth ? 1 : 0
        bins[bin].sum += probability
    }

    /// Mean squared error.
    var brier: Double? { count > 0 ? squares / Double(count) : nil }
    /// Mean of -ln of the probability of what was so.
    var logLoss: Double? { count > 0 ? logs / Double(count) : nil }
    /// Expected calibration error: how far the mean probability of each of ten bins of equal width is from the share
    /// of the positives in it, weighted by the bin's count.
    var calibrationError: Double? {
        guard count > 0 else { return nil }
        return bins.reduce(0) { $0 + abs($1.sum - Double($1.positives)) } / Double(count)
    }
}
