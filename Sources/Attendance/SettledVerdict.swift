/// Recorded verdict. It is kept because interactions are deleted before attendance is needed.
package struct SettledVerdict: Hashable, Sendable {
    /// Lecture, by its `Lecture.id`.
    package var lecture: String
    package var student: String
    package var status: AttendanceStatus
    /// Total time in the room, in seconds.
    package var dwell: Int64
    /// First and last reception in the room, in seconds since 1970.
    package var firstSeen: Int64?
    package var lastSeen: Int64?
    /// Whether all gateways that provided the evidence had synchronized clocks.
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

    /// Creates the record of an entry; `nil` when the verdict is unknown or was already recorded.
    package init?(_ entry: AttendanceEntry) {
        let verdict = entry.verdict
        if verdict.status == .unknown || verdict.reasons.contains(.settled) { return nil }
        self.init(
            lecture: entry.lecture.id, student: entry.student.id, status: verdict.status, dwell: verdict.dwell,
            firstSeen: verdict.firstSeen, lastSeen: verdict.lastSeen, clockIsSynchronized: verdict.clockIsSynchronized)
    }
}
