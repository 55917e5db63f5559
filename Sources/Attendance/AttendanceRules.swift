/// Thresholds for attendance, in seconds.
package struct AttendanceRules: Equatable, Sendable {
    /// Minimum time in the room; a student with less is absent.
    package var leastDwell: Int64
    /// Maximum delay after the beginning; a student who arrives later is late.
    package var lateAfter: Int64
    /// Maximum time before the end; a student who departs earlier has left early.
    package var earlyBefore: Int64
    /// Maximum silence that still counts as presence.
    package var gap: Int64
    /// Time before a lecture from which a student can check in.
    package var lookAhead: Int64
    /// Whether a subject with an unknown distance counts as in the room.
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

    /// Returns the rules adapted to a short lecture: half of it is enough as dwell time, and students may arrive in its
    /// first and depart in its last quarter.
    package func fitted(to lecture: Lecture) -> AttendanceRules {
        var rules = self
        rules.leastDwell = min(leastDwell, lecture.length / 2)
        rules.lateAfter = min(lateAfter, lecture.length / 4)
        rules.earlyBefore = min(earlyBefore, lecture.length / 4)
        return rules
    }
}
