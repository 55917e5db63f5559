package import Attendance
import Timetables

/// Settings of the table `attendance`: the files of timetable and roster, beside which files can be uploaded at the
/// page, and the rules of attendance.
package struct AttendanceSettings: Equatable, Sendable {
    /// Paths of iCalendar files.
    package var timetableFiles: [String]
    /// Path of a CSV file; `nil` if only uploaded rosters count.
    package var rosterFile: String?
    /// Time zone of times that have none, and of displayed times; `nil` displays UTC.
    var zone: CalendarZone?
    package var course: CourseSource
    var rules: AttendanceRules
    /// Whether students can delete their own attendance on the page.
    var studentsErase: Bool

    package func text(_ seconds: Int64) -> String { zone?.text(seconds) ?? CalendarZone.utc(seconds) }
}
