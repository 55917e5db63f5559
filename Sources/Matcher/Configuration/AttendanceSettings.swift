import Attendance
import Timetables

/// What the table `attendance` says: where timetable and roster are, and when somebody counts as there.
struct AttendanceSettings: Equatable, Sendable {
    /// iCalendar.
    var timetableFiles: [String]
    /// CSV.
    var rosterFile: String
    /// Of times that come without one, and in which times are shown; UTC is shown without it.
    var zone: CalendarZone?
    var course: CourseSource
    var rules: AttendanceRules

    func text(_ seconds: Int64) -> String { zone?.text(seconds) ?? CalendarZone.utc(seconds) }
}
