/// A verdict as it was written down, because what was heard is deleted sooner than attendance is asked for.
package struct SettledVerdict: Hashable, Sendable {
    /// `Lecture.id`.
    package var lecture: String
    package var student: String
    package var status: AttendanceStatus
    /// Seconds.
    package var dwell: Int64
    /// Seconds since 1970.
    package var firstSeen: Int64?
    package var lastSeen: Int64?
    /// Whether all gateways that told of it had synchronized clocks.
    package var clockIsSynchronized: Bool

    package init(
        lecture: String, student: String, status: AttendanceStatus, dwell: Int64, firstSeen: Int64?, lastSeen: Int64?,
        clockIsSynchronized: Bool = true
    ) {
        self.lecture = lecture
        self.student = student
        self.status = status
        self.dwell = dwell
        self.firstSeen = firstSeen
        self.lastSeen = lastSeen
        self.clockIsSynchronized = clockIsSynchronized
    }

    /// `nil` for an entry that isn't known, or that was written down before.
    package init?(_ entry: AttendanceEntry) {
        let verdict = entry.verdict
        if verdict.status == .unknown || verdict.reasons.contains(.settled) { return nil }
        self.init(
            lecture: entry.lecture.id, student: entry.student.id, status: verdict.status, dwell: verdict.dwell,
            firstSeen: verdict.firstSeen, lastSeen: verdict.lastSeen, clockIsSynchronized: verdict.clockIsSynchronized)
    }
}
