package import BeaconModel

/// Intervals in which the receiver is known to have been listening.
package struct Coverage: Equatable, Sendable {
    package struct Interval: Equatable, Sendable {
        package var from: Timestamp
        package var to: Timestamp
    }

    /// Listening intervals in the order in which they were recorded.
    package private(set) var intervals: [Interval] = []
    /// Longest gap after the last interval that still counts as continuous listening; `nil` while there is no pause.
    private var toleratedPause: Duration?

    /// Maximum number of intervals, for a radio that fails repeatedly. Later times count as not listened to.
    private static let mostIntervals = 1024

    package var first: Timestamp? { intervals.map(\.from).min() }
    package var last: Timestamp? { intervals.map(\.to).max() }

    /// Records that the receiver listens at `time`, and has listened since the previous call unless there was a pause.
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

    /// Marks the listening state as unknown until the next `listen`. If that call comes within `tolerated`, the
    /// receiver counts as having listened throughout.
    package mutating func pause(tolerating tolerated: Duration = .zero) { toleratedPause = tolerated }

    /// Whether the receiver listened for the whole of an interval.
    package func covers(_ from: Timestamp, _ to: Timestamp) -> Bool {
        intervals.contains { $0.from <= from && to <= $0.to }
    }

    package func overlaps(_ from: Timestamp, _ to: Timestamp) -> Bool {
        intervals.contains { $0.from < to && from < $0.to }
    }
}
