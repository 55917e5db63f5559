package import Attendance
package import MatcherCore
import OperatorText
import Timetables

/// Attendance as tables for people and as CSV lines for spreadsheets.
package struct AttendanceText {
    package let settings: AttendanceSettings
    package let isColoured: Bool
    /// Maximum width of tables; `nil` for one line per row.
    package let width: Int?

    package init(settings: AttendanceSettings, isColoured: Bool, width: Int?) {
        self.settings = settings
        self.isColoured = isColoured
        self.width = width
    }

    // MARK: Tables

    package func table(_ entries: [AttendanceEntry]) -> [String] {
        if entries.isEmpty { return [] }
        var table = TextTable([
            (timed("LECTURE"), .left), ("COURSE", .left), ("ROOM", .left), ("STUDENT", .left),
            ("STATUS", .left),
            ("FROM", .left), ("TO", .left), ("MINUTES", .right), ("WHY", .left),
        ])
        for entry in entries {
            let verdict = entry.verdict
            table.add([
                settings.text(entry.lecture.start), entry.lecture.course, entry.lecture.room ?? "",
                Self.name(entry.student), entry.status.rawValue, verdict.firstSeen.map(clock) ?? "",
                verdict.lastSeen.map(clock) ?? "", Format.fixed(Double(verdict.dwell) / 60, 1), why(entry),
            ])
        }
        return zip(table.blocks(width: width), [nil] + entries.map(\.status)).flatMap { lines, status in
            lines.map { coloured($0, status) }
        }
    }

    package func totals(_ totals: [AttendanceReport.Total]) -> [String] {
        if totals.isEmpty { return [] }
        var table = TextTable([
            ("COURSE", .left), ("STUDENT", .left), ("ATTENDED", .right), ("OF", .right), ("PERCENT", .right),
            ("LATE", .right), ("LEFT EARLY", .right), ("EXCUSED", .right), ("UNKNOWN", .right),
        ])
        for total in totals {
            let tally = total.tally
            table.add([
                total.course, total.student.map(Self.name) ?? "(all)", "\(tally.attended)", "\(tally.held)",
                tally.percent.map { Format.fixed($0, 0) + " %" } ?? "-", "\(tally.late)", "\(tally.leftEarly)",
                "\(tally.excused)", "\(tally.unknown)",
            ])
        }
        return table.lines(width: width)
    }

    package func lectures(_ lectures: [Lecture], rooms: RoomDirectory, roster: Roster) -> [String] {
        if lectures.isEmpty { return [] }
        var table = TextTable([
            (timed("FROM"), .left), ("TO", .left), ("COURSE", .left), ("ROOM", .left),
            ("STUDENTS", .right), ("ID", .left),
        ])
        for lecture in lectures {
            let room = lecture.room.map { rooms.room($0) == nil ? $0 + " (not configured)" : $0 } ?? "(none)"
            table.add([
                settings.text(lecture.start), clock(lecture.end), lecture.course, room,
                "\(roster.students(of: lecture.course).count)", lecture.id,
            ])
        }
        return table.lines(width: width)
    }

    package func corrections(_ corrections: [Correction]) -> [String] {
        if corrections.isEmpty { return [] }
        var table = TextTable([
            (timed("AT"), .left), ("BY", .left), ("LECTURE", .left), ("STUDENT", .left), ("FROM", .left),
            ("TO", .left),
            ("REASON", .left),
        ])
        for correction in corrections {
            table.add([
                settings.text(correction.at), correction.by, correction.lecture, correction.student,
                correction.from.rawValue, correction.to.rawValue, correction.reason,
            ])
        }
        return table.lines(width: width)
    }

    private static func name(_ student: Roster.Student) -> String {
        student.id + (student.name.map { " (\($0))" } ?? "")
    }

    /// Returns the title of a column of times with their time zone, which holds for the other columns as well.
    private func timed(_ title: String) -> String { "\(title) (\(settings.zone?.name ?? "UTC"))" }

    /// Returns the time of day alone.
    private func clock(_ seconds: Int64) -> String { String(settings.text(seconds).dropFirst(11)) }

    private func why(_ entry: AttendanceEntry) -> String {
        var parts = entry.verdict.reasons.map { $0.text(settings.text) }
        if let at = entry.checkedIn { parts.append("checked in at \(clock(at))") }
        if let last = entry.correction {
            parts.append("corrected from \(last.from.rawValue) by \(last.by): \(last.reason)")
        }
        return parts.joined(separator: "; ")
    }

    private func coloured(_ line: String, _ status: AttendanceStatus?) -> String {
        guard isColoured, let status else { return line }
        let colour =
            switch status {
            case .present: "32"
            case .late, .leftEarly, .lateAndLeftEarly: "33"
            case .absent: "31"
            case .excused, .unknown: "2"
            }
        return "\u{1B}[\(colour)m\(line)\u{1B}[0m"
    }

    // MARK: CSV lines for spreadsheets

    package static let columns = [
        "lecture", "course", "title", "room", "start", "end", "student", "name", "status", "heard_status",
        "first_seen", "last_seen", "minutes", "checked_in", "corrected_by", "correction_reason", "explanation",
        "clock",
    ]

    package static func csv(_ entry: AttendanceEntry) -> String {
        let (lecture, verdict) = (entry.lecture, entry.verdict)
        func time(_ seconds: Int64?) -> String { seconds.map(InstantText.utc) ?? "" }
        return CSVLine.text([
            lecture.id, lecture.course, lecture.title, lecture.room ?? "", time(lecture.start), time(lecture.end),
            entry.student.id, entry.student.name ?? "", entry.status.rawValue, verdict.status.rawValue,
            time(verdict.firstSeen), time(verdict.lastSeen), Format.fixed(Double(verdict.dwell) / 60, 1),
            time(entry.checkedIn), entry.correction?.by ?? "", entry.correction?.reason ?? "",
            verdict.reasons.map { $0.text(InstantText.utc) }.joined(separator: "; "),
            verdict.clockIsSynchronized ? "" : AttendanceDocument.unsynchronized,
        ])
    }

    package static let totalColumns = [
        "course", "student", "name", "attended", "held", "percent", "late", "left_early", "excused", "unknown",
    ]

    package static func csv(_ total: AttendanceReport.Total) -> String {
        let tally = total.tally
        return CSVLine.text([
            total.course, total.student?.id ?? "", total.student?.name ?? "", "\(tally.attended)", "\(tally.held)",
            tally.percent.map { Format.fixed($0, 1) } ?? "", "\(tally.late)", "\(tally.leftEarly)",
            "\(tally.excused)", "\(tally.unknown)",
        ])
    }
}
