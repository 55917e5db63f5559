import RealModule

/// Consistency of a measurement over its seconds.
///
/// It is judged from the means of whole seconds. The packets of one second come on three advertising channels, which
/// fade independently and would look like two groups where nobody moves.
package enum Steadiness: Equatable, Sendable {
    case steady
    /// Second half stronger than the first by this many dB.
    case drifting(by: Double)
    /// Some seconds weaker than the others by this many dB: somebody stands in the way.
    case interrupted(by: Double)

    /// Largest acceptable drift, in dB. Less is not worth a repetition: 2 dB are a quarter of the distance.
    private static let largestDrift = 2.0
    /// Smallest interruption, in dB. A body between two devices takes 5 to 15 dB.
    private static let smallestInterruption = 4.0
    /// Smallest separation of two groups: the distance of their means in standard deviations (Ashman's D). Halves of
    /// one normal distribution have 2.7, those of a uniform one 3.5.
    private static let clearSeparation = 4.0
    /// Smallest share of the seconds in the smaller group. The trimmed mean takes care of less.
    private static let smallestPart = 0.1

    package init(secondMeans means: [Double]) {
        if let separation = Self.separation(of: means) {
            self = .interrupted(by: separation)
        } else if let drift = Self.drift(of: means) {
            self = .drifting(by: drift)
        } else {
            self = .steady
        }
    }

    /// Returns the drift between the halves; `nil` when they are alike, or differ no more than by chance.
    private static func drift(of means: [Double]) -> Double? {
        guard means.count >= 4 else { return nil }
        let first = Group(means.prefix(means.count / 2))
        let second = Group(means.suffix(means.count - means.count / 2))
        let drift = second.mean - first.mean
        let error = (first.variance / first.count + second.variance / second.count).squareRoot()
        return abs(drift) > max(largestDrift, 2 * error) ? drift : nil
    }

    /// Returns the distance between two groups of seconds; `nil` when there is only one group.
    private static func separation(of means: [Double]) -> Double? {
        let sorted = means.sorted()
        let fewest = max(2, Int((smallestPart * Double(sorted.count)).rounded(.up)))
        guard sorted.count >= 2 * fewest else { return nil }
        // Split where the two groups differ most from each other (N. Otsu, "A Threshold Selection Method", 1979).
        var sum = sorted.prefix(fewest - 1).reduce(0, +)
        let total = sorted.reduce(0, +)
        let count = Double(sorted.count)
        var best = (size: fewest, between: -1.0)
        for size in fewest...(sorted.count - fewest) {
            sum += sorted[size - 1]
            let (below, above) = (Double(size), count - Double(size))
            let gap = (total - sum) / above - sum / below
            let between = below * above * gap * gap
            if between > best.between { best = (size, between) }
        }
        let low = Group(sorted.prefix(best.size))
        let high = Group(sorted.dropFirst(best.size))
        let gap = high.mean - low.mean
        // Minimum width, because groups of a few equal values are not infinitely narrow.
        let width = max(((low.variance + high.variance) / 2).squareRoot(), 0.3)
        return gap >= smallestInterruption && gap / width >= clearSeparation ? gap : nil
    }

    private struct Group {
        let count: Double
        let mean: Double
        let variance: Double

        /// Computes the statistics of a group.
        ///
        /// - Parameter values: values of the group; not empty.
        init(_ values: ArraySlice<Double>) {
            count = Double(values.count)
            let mean = values.reduce(0, +) / count
            self.mean = mean
            variance = values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / max(1, count - 1)
        }
    }
}
