/// Attendance of one student at one lecture.
package struct AttendanceEntry: Equatable, Sendable {
    package var lecture: Lecture
    package var student: Roster.Student
    package var verdict: AttendanceVerdict
    /// Time of the check-in, in seconds since 1970.
    package var checkedIn: Int64?
    /// Corrections in the order in which they were made, also those from before the lecture was moved.
    package var corrections: [Correction]

    /// Correction that counts: the last one for the lecture at its present time.
    package var correction: Correction? { corrections.last { $0.concerns(lecture) } }

    /// Status that counts: that of the correction, otherwise that of the verdict.
    package var status: AttendanceStatus { correction?.to ?? verdict.status }
}
