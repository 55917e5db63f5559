package import BeaconModel

/// Histogram of readings over time, with a fixed number of bins. The bin width doubles whenever the time span outgrows
/// it.
package struct ReadingBins: Equatable, Sendable {
    package static let count = 256

    /// Start of the first bin. Earlier readings are not counted.
    package let origin: Timestamp
    package private(set) var width: Duration = .seconds(1)
    /// Readings per bin while the device was in range; `outOfRange` has those while it was not.
    package private(set) var inRange = [UInt32](repeating: 0, count: count)
    package private(set) var outOfRange = [UInt32](repeating: 0, count: count)

    package init(origin: Timestamp) { self.origin = origin }

    /// Maximum length of a schedule. It keeps one wrong time from making all bins too wide to show anything.
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
