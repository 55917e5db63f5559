/// What a person has changed by hand. Corrections are only ever added: all of them are the audit, and the last one counts.
package struct Correction: Hashable, Sendable {
    /// `Lecture.id`.
    package var lecture: String
    package var student: String
    /// Seconds since 1970.
    package var at: Int64
    /// Who changed it, and why.
    package var by: String
    package var reason: String
    /// What was shown before, and what is shown since.
    package var from: AttendanceStatus
    package var to: AttendanceStatus

    package init(
        lecture: String, student: String, at: Int64, by: String, reason: String, from: AttendanceStatus,
        to: AttendanceStatus
    ) {
        self.lecture = lecture
        self.student = student
        self.at = at
        self.by = by
        self.reason = reason
        self.from = from
        self.to = to
    }

    package static let longestReason = 500
    package static let longestName = 100
}
