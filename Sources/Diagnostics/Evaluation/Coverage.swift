package import BeaconModel

/// When the receiver is known to have listened.
package struct Coverage: Equatable, Sendable {
    package struct Interval: Equatable, Sendable {
        package var from: Timestamp
        package var to: Timestamp
    }

    /// In the order in which they were heard.
    package private(set) var intervals: [Interval] = []
    /// How long a pause since the last interval is none; `nil` while there is no pause.
    private var toleratedPause: Duration?

    /// Intervals of a radio that fails again and again; what follows counts as not listened to.
    private static let mostIntervals = 1024

    package var first: Timestamp? { intervals.map(\.from).min() }
    package var last: Timestamp? { intervals.map(\.to).max() }

    /// The receiver listens at `time`, and has done so since the call before, unless there was a pause.
    package mutating func listen(at time: Timestamp) {
        guard let last = intervals.indices.last else {
            intervals.append(Interval(from: time, to: time))
            toleratedPause = nil
            return
        }
        let sinceLast = time - intervals[last].to
        if let tolerated = toleratedPause, sinceLast > tolerated || time < intervals[last].from {
            guard intervals.count < Self.mostIntervals else { return }
            intervals.append(Interval(from: time, to: time))
        } else if sinceLast > .zero {
            intervals[last].to = time
        }
        toleratedPause = nil
    }

    /// Whether the receiver listens isn't known until the next `listen`; after no more than `tolerated` it has.
    package mutating func pause(tolerating tolerated: Duration = .zero) { toleratedPause = tolerated }

    /// Whether all of a time was listened to.
    package func covers(_ from: Timestamp, _ to: Timestamp) -> Bool {
        intervals.contains { $0.from <= from && to <= $0.to }
    }

    package func overlaps(_ from: Timestamp, _ to: Timestamp) -> Bool {
        intervals.contains { $0.from < to && from < $0.to }
    }
}
