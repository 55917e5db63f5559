import Glibc

extension [Double] {
    /// `nil` of nothing.
    var mean: Double? { isEmpty ? nil : reduce(0, +) / Double(count) }

    /// The middle one, or the mean of the two in the middle.
    var median: Double? {
        guard !isEmpty else { return nil }
        let ordered = sorted()
        let middle = ordered.count / 2
        return ordered.count.isMultiple(of: 2) ? (ordered[middle - 1] + ordered[middle]) / 2 : ordered[middle]
    }

    /// The smallest value that is at least as large as the share `share` (0 to 1) of all.
    func quantile(_ share: Double) -> Double? {
        guard !isEmpty else { return nil }
        return sorted()[Swift.min(count - 1, Swift.max(0, Int((share * Double(count)).rounded(.up)) - 1))]
    }
}

/// The standard normal distribution.
enum Normal {
    static func cumulative(_ value: Double) -> Double { 0.5 * erfc(-value / 2.0.squareRoot()) }

    /// The inverse of `cumulative`, to 1e-12: Acklam's rational approximation would need tables of coefficients, and
    /// bisection is fast enough for a benchmark.
    static func quantile(_ probability: Double) -> Double {
        var low = -40.0
        var high = 40.0
        for _ in 0..<60 {
            let middle = (low + high) / 2
            if cumulative(middle) < probability { low = middle } else { high = middle }
        }
        return (low + high) / 2
    }
}
