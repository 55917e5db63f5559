package import BeaconModel

/// How many readings there were when, in a fixed number of bins whose width doubles whenever the time is longer.
package struct ReadingBins: Equatable, Sendable {
    package static let count = 256

    /// From which the bins count; readings before it aren't in them.
    package let origin: Timestamp
    package private(set) var width: Duration = .seconds(1)
    /// While the device was in range, and while it was not.
    package private(set) var inRange = [UInt32](repeating: 0, count: count)
    package private(set) var outOfRange = [UInt32](repeating: 0, count: count)

    package init(origin: Timestamp) { self.origin = origin }

    /// The longest that a schedule can be, so that one wrong time doesn't make all bins too wide to show anything.
    private static let longest = EvaluationSchedule.furthest

    package mutating func add(at time: Timestamp, isInRange: Bool) {
        let offset = time - origin
        guard offset >= .zero, offset <= Self.longest else { return }
        while offset >= width * Self.count { widen() }
        let bin = min(Self.count - 1, Int(offset / width))
        if isInRange {
            inRange[bin] = inRange[bin] == .max ? .max : inRange[bin] + 1
        } else {
            outOfRange[bin] = outOfRange[bin] == .max ? .max : outOfRange[bin] + 1
        }
    }

    private mutating func widen() {
        inRange = Self.joined(inRange)
        outOfRange = Self.joined(outOfRange)
        width *= 2
    }

    private static func joined(_ bins: [UInt32]) -> [UInt32] {
        (0..<count).map { index in
            guard index * 2 + 1 < count else { return 0 }
            let (sum, overflow) = bins[index * 2].addingReportingOverflow(bins[index * 2 + 1])
            return overflow ? .max : sum
        }
    }
}
