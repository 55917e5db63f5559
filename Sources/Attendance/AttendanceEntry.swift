/// Attendance of one student at one lecture.
package struct AttendanceEntry: Equatable, Sendable {
    package var lecture: Lecture
    package var student: Roster.Student
    package var verdict: AttendanceVerdict
    /// Time of the check-in, in seconds since 1970.
    package var checkedIn: Int64?
    /// Corrections in the order in which they were made.
    package var corrections: [Correction]

    /// Status that counts: that of the last correction, otherwise that of the verdict.
    package var status: AttendanceStatus { corrections.last?.to ?? verdict.status }
}
