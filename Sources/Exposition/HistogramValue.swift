/// Counts of a histogram.
package struct HistogramValue: Equatable, Sendable {
    /// Upper bounds of the buckets, ascending.
    package let bounds: [Double]
    /// Values in each bucket, and at the end those above all bounds.
    package private(set) var counts: [UInt64]
    package private(set) var sum = 0.0

    package init(bounds: [Double]) {
        self.bounds = bounds
        counts = Array(repeating: 0, count: bounds.count + 1)
    }

    /// Counts a value. A value that is not a number would make the sum useless for ever, so it is ignored.
    package mutating func add(_ value: Double) {
        guard value.isFinite else { return }
        let bucket = bounds.firstIndex { value <= $0 } ?? bounds.count
        counts[bucket] &+= 1
        sum += value
    }

    package var count: UInt64 { counts.reduce(0, &+) }

    /// Values up to each bound.
    package var cumulative: [(bound: Double, count: UInt64)] {
        var below: UInt64 = 0
        return zip(bounds + [.infinity], counts).map { bound, count in
            below &+= count
            return (bound, below)
        }
    }
}
