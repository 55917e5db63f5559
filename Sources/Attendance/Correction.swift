/// Manual correction of attendance. Corrections are only ever added: all of them form the audit trail, and the last one
/// for the lecture at its present time counts.
package struct Correction: Hashable, Sendable {
    /// Lecture, by its `Lecture.id`.
    package var lecture: String
    package var student: String
    /// Time of the lecture when it was corrected; `nil` for corrections of versions that did not record it.
    package var time: LectureTime?
    /// Time in seconds since 1970.
    package var at: Int64
    /// Author and reason of the correction.
    package var by: String
    package var reason: String
    /// Status before and after the correction.
    package var from: AttendanceStatus
    package var to: AttendanceStatus

    package init(
        lecture: String, student: String, time: LectureTime? = nil, at: Int64, by: String, reason: String,
        from: AttendanceStatus, to: AttendanceStatus
    ) {
        self.lecture = lecture
        self.student = student
        self.time = time
        self.at = at
        self.by = by
        self.reason = reason
        self.from = from
        self.to = to
    }

    /// Returns whether the correction counts for a lecture at its present time, which must overlap the time that was
    /// corrected.
    package func concerns(_ lecture: Lecture) -> Bool { time?.overlaps(lecture) ?? true }

    package static let longestReason = 500
    package static let longestName = 100
}
