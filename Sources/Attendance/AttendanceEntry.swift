/// A student and a lecture: what is said of them.
public struct AttendanceEntry: Equatable, Sendable {
    public var lecture: Lecture
    public var student: Roster.Student
    public var verdict: AttendanceVerdict
    /// When they signed, in seconds since 1970.
    public var checkedIn: Int64?
    /// In the order in which they were made.
    public var corrections: [Correction]

    /// What counts: the last correction, else what was heard.
    public var status: AttendanceStatus { corrections.last?.to ?? verdict.status }
}
