package import Matching

/// Presence of a person in a room, from all of the person's devices.
package struct RoomPresence: Equatable, Sendable {
    package struct Interval: Hashable, Sendable {
        /// Start and end, in seconds since 1970.
        package var start: Int64
        package var end: Int64

        package init(start: Int64, end: Int64) {
            self.start = start
            self.end = end
        }

        package var length: Int64 { end - start }
    }

    /// Intervals by start, separated by more than the tolerated gap.
    package private(set) var intervals: [Interval]
    /// Minimum distance at which the person was outside, in centimetres.
    package private(set) var nearestOutside: Int64?

    /// Computes the presence.
    ///
    /// - Parameters:
    ///   - stays: stays of all devices of one person, at all places of the room, in any order.
    ///   - radius: radius of the room around its places, in centimetres.
    package init(_ stays: [Stay], radius: Int64, rules: AttendanceRules) {
        let inside = stays.filter { Self.isInside($0, radius: radius, rules: rules) && $0.start <= $0.end }
            .map { Interval(start: $0.start, end: $0.end) }
            .sorted { ($0.start, $0.end) < ($1.start, $1.end) }
        nearestOutside = stays.filter { !Self.isInside($0, radius: radius, rules: rules) }
            .compactMap { $0.distance?.centimetres }.min()
        intervals = Self.joined(inside, gap: rules.gap)
    }

    private static func joined(_ ordered: [Interval], gap: Int64) -> [Interval] {
        var intervals: [Interval] = []
        for interval in ordered {
            if let last = intervals.last, interval.start.isAtMost(gap, after: last.end) {
                intervals[intervals.count - 1].end = max(last.end, interval.end)
            } else {
                intervals.append(interval)
            }
        }
        return intervals
    }

    /// Returns the intervals in which any subject was received, at any distance: by start, separated by more than a
    /// gap.
    package static func merged(_ stays: [Stay], gap: Int64) -> [Interval] {
        let ordered = stays.filter { $0.start <= $0.end }.map { Interval(start: $0.start, end: $0.end) }
            .sorted { ($0.start, $0.end) < ($1.start, $1.end) }
        return joined(ordered, gap: gap)
    }

    /// Whether the person was within the radius with a probability of at least one half. That is so when the median of
    /// the distance is within it, whatever the bounds.
    package static func isInside(_ stay: Stay, radius: Int64, rules: AttendanceRules) -> Bool {
        guard let distance = stay.distance else { return rules.countsUnknownDistance }
        return distance.centimetres <= radius
    }

    /// Returns the parts of the intervals within a lecture.
    package func during(_ lecture: Lecture) -> [Interval] {
        intervals.compactMap { interval in
            guard interval.start < lecture.end, interval.end >= lecture.start else { return nil }
            return Interval(start: max(interval.start, lecture.start), end: min(interval.end, lecture.end))
        }
    }

    /// Whether the person is present at a time, as far as is known: a short silence is no departure.
    package func isThere(at now: Int64, gap: Int64) -> Bool {
        intervals.contains { $0.start <= now && now.isAtMost(gap, after: $0.end) }
    }
}

extension Int64 {
    /// Whether the time is at most `gap` after another time.
    fileprivate func isAtMost(_ gap: Int64, after other: Int64) -> Bool {
        let (passed, overflow) = subtractingReportingOverflow(other)
        return overflow ? self < other : passed <= gap
    }
}
