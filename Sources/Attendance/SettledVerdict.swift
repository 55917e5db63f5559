/// Recorded verdict. It is kept because interactions are deleted before attendance is needed.
package struct SettledVerdict: Hashable, Sendable {
    /// Lecture, by its `Lecture.id`.
    package var lecture: String
    package var student: String
    /// Time of the lecture to which the verdict applies; `nil` for verdicts of versions that did not record it.
    package var time: LectureTime?
    package var status: AttendanceStatus
    /// Total time in the room, in seconds.
    package var dwell: Int64
    /// First and last reception in the room, in seconds since 1970.
    package var firstSeen: Int64?
    package var lastSeen: Int64?
    /// Whether all gateways that provided the evidence had synchronized clocks.
    package var clockIsSynchronized: Bool

    package init(
        lecture: String, student: String, time: LectureTime? = nil, status: AttendanceStatus, dwell: Int64,
        firstSeen: Int64?, lastSeen: Int64?, clockIsSynchronized: Bool = true
    ) {
        self.lecture = lecture
        self.student = student
        self.time = time
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
            lecture: entry.lecture.id, student: entry.student.id, time: LectureTime(entry.lecture),
            status: verdict.status, dwell: verdict.dwell, firstSeen: verdict.firstSeen, lastSeen: verdict.lastSeen,
            clockIsSynchronized: verdict.clockIsSynchronized)
    }

    /// Returns whether the verdict is about a lecture at its present time: the timetable may have moved it.
    ///
    /// - Parameter isKept: whether interactions from the present time are still stored. The attendance then follows
    ///   from them, and a verdict on any other time does not count. Later, one on a time that overlaps does.
    package func concerns(_ lecture: Lecture, isKept: Bool) -> Bool {
        if let time, isKept ? time != LectureTime(lecture) : !time.overlaps(lecture) { return false }
        guard let firstSeen, let lastSeen else { return true }
        return firstSeen < lecture.end && lastSeen >= lecture.start
    }
}
