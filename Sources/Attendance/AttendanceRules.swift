/// When somebody counts as there, in seconds.
package struct AttendanceRules: Equatable, Sendable {
    /// Whoever is in the room for less is absent.
    package var leastDwell: Int64
    /// Whoever comes later than this after the beginning is late.
    package var lateAfter: Int64
    /// Whoever leaves earlier than this before the end has left early.
    package var earlyBefore: Int64
    /// Whoever isn't heard for no longer than this was there all the same.
    package var gap: Int64
    /// How long before a lecture one may sign for it.
    package var lookAhead: Int64
    /// Whether somebody whose distance isn't known is in the room.
    package var countsUnknownDistance: Bool

    package init(
        leastDwell: Int64 = 600, lateAfter: Int64 = 600, earlyBefore: Int64 = 600, gap: Int64 = 300,
        lookAhead: Int64 = 900, countsUnknownDistance: Bool = false
    ) {
        self.leastDwell = leastDwell
        self.lateAfter = lateAfter
        self.earlyBefore = earlyBefore
        self.gap = gap
        self.lookAhead = lookAhead
        self.countsUnknownDistance = countsUnknownDistance
    }

    /// For a lecture that is too short for them: half of it is enough, and its first and last quarter are when one may come
    /// and go.
    package func fitted(to lecture: Lecture) -> AttendanceRules {
        var rules = self
        rules.leastDwell = min(leastDwell, lecture.length / 2)
        rules.lateAfter = min(lateAfter, lecture.length / 4)
        rules.earlyBefore = min(earlyBefore, lecture.length / 4)
        return rules
    }
}
