import Attendance
import OperatorText
import Timetables

extension MatcherConfiguration {
    private static let mostFiles = 64

    /// Reads the table `attendance`.
    ///
    /// - Parameter zone: time zone of the site.
    static func readAttendance(
        _ root: TOMLReader, zone: CalendarZone?, locate: (String) -> String
    ) -> AttendanceSettings? {
        guard let reader = root.table("attendance") else { return nil }
        defer { reader.finish() }
        if reader.has("time-zone") {
            reader.retired(
                "time-zone", instead: "set it once, in the table [site]: [site] time-zone = \"Europe/Berlin\"",
                replacedBy: "time-zone")
        }
        let files = reader.strings("timetable-files") ?? []
        if reader.has("timetable-files"), files.isEmpty || files.count > mostFiles {
            reader.report(
                "timetable-files", found: "has \(files.count) entries", allowed: "must have 1 to \(mostFiles)")
        }
        let standard = AttendanceRules()
        func seconds(_ key: String, or other: Int64) -> Int64 {
            reader.duration(key, in: .zero ... .seconds(86_400))?.components.seconds ?? other
        }
        let rules = AttendanceRules(
            leastDwell: seconds("least-dwell", or: standard.leastDwell),
            lateAfter: seconds("late-after", or: standard.lateAfter),
            earlyBefore: seconds("early-before", or: standard.earlyBefore), gap: seconds("gap", or: standard.gap),
            lookAhead: seconds("look-ahead", or: standard.lookAhead),
            countsUnknownDistance: reader.parsed("unknown-distance", allowed: "\"inside\" or \"outside\"") {
                ["inside": true, "outside": false][$0]
            } ?? standard.countsUnknownDistance)
        return AttendanceSettings(
            timetableFiles: files.map(locate), rosterFile: reader.string("roster-file").map(locate),
            zone: zone,
            course: reader.parsed("course", allowed: "\"summary\" or \"categories\"") { CourseSource(rawValue: $0) }
                ?? .summary, rules: rules, studentsErase: reader.boolean("students-erase") ?? true)
    }
}
