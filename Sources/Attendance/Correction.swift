/// What a person has changed by hand. Corrections are only ever added: all of them are the audit, and the last one counts.
public struct Correction: Hashable, Sendable {
    /// `Lecture.id`.
    public var lecture: String
    public var student: String
    /// Seconds since 1970.
    public var at: Int64
    /// Who changed it, and why.
    public var by: String
    public var reason: String
    /// What was shown before, and what is shown since.
    public var from: AttendanceStatus
    public var to: AttendanceStatus

    public init(
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

    public static let longestReason = 500
    public static let longestName = 100
}
