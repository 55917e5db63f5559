/// A student and a lecture: what is said of them.
package struct AttendanceEntry: Equatable, Sendable {
    package var lecture: Lecture
    package var student: Roster.Student
    package var verdict: AttendanceVerdict
    /// When they signed, in seconds since 1970.
    package var checkedIn: Int64?
    /// In the order in which they were made.
    package var corrections: [Correction]

    /// What counts: the last correction, else what was heard.
    package var status: AttendanceStatus { corrections.last?.to ?? verdict.status }
}
