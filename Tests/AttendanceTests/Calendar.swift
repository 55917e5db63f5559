import Attendance
import OperatorText
import Testing
import Timetables

/// Times of tests, in seconds since 1970.
enum At {
    /// 2026-10-20, a Tuesday, at 08:00 UTC: 10:00 in Berlin.
    static let tuesday: Int64 = 1_792_483_200
    static let day: Int64 = 86_400
    /// Two months around it.
    static let span: ClosedRange<Int64> = tuesday - 30 * day...tuesday + 30 * day
}

enum Calendar {
    static func text(_ events: [String], zones: String = "") -> String {
        "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//x//y//EN\r\n" + zones
            + events.map {
                "BEGIN:VEVENT\r\n" + $0.split(separator: "\n").joined(separator: "\r\n") + "\r\nEND:VEVENT\r\n"
            }
            .joined() + "END:VCALENDAR\r\n"
    }

    static func parse(
        _ text: String, zone: String? = nil, course: CourseSource = .summary, span: ClosedRange<Int64> = At.span
    ) throws(AttendanceFileError) -> Timetable {
        try Timetable.parse(
            Array(text.utf8), file: "t.ics", zone: zone.flatMap { CalendarZone($0) }, course: course, span: span)
    }

    /// When lectures begin, as UTC.
    static func starts(_ events: [String], zones: String = "", zone: String? = nil) throws(AttendanceFileError)
        -> [String]
    {
        try parse(text(events, zones: zones), zone: zone).lectures.map { InstantText.utc($0.start) }
    }

    static func problems(_ text: String) -> [String] {
        do throws(AttendanceFileError) {
            _ = try parse(text)
            return []
        } catch {
            return error.problems.map(\.description)
        }
    }
}
