import MatcherCore
import TestSupport
import Testing

extension TestAPI {
    private static let lectures = """
        BEGIN:VCALENDAR\r
        VERSION:2.0\r
        PRODID:-//test//test//EN\r
        BEGIN:VEVENT\r
        UID:physics-1\r
        DTSTAMP:20261101T000000Z\r
        DTSTART:20261102T080000Z\r
        DTEND:20261102T093000Z\r
        SUMMARY:Physics\r
        LOCATION:Hopper Hall\r
        END:VEVENT\r
        BEGIN:VEVENT\r
        UID:chemistry-1\r
        DTSTAMP:20261101T000000Z\r
        DTSTART:20261102T100000Z\r
        DTEND:20261102T110000Z\r
        SUMMARY:Chemistry\r
        LOCATION:Hopper Hall\r
        END:VEVENT\r
        BEGIN:VEVENT\r
        UID:physics-2\r
        DTSTAMP:20261101T000000Z\r
        DTSTART:20261104T080000Z\r
        DTEND:20261104T093000Z\r
        SUMMARY:Physics\r
        LOCATION:Hopper Hall\r
        END:VEVENT\r
        END:VCALENDAR\r

        """

    /// Badge of the student s1.
    static let badgeOfStudent = "badge:\(beacon.dropLast(1))2"

    /// Runs `body` with a page, and with lectures of two courses. The lecturer 4711 holds that on physics.
    ///
    /// - Parameters:
    ///   - events: the timetable, as a calendar file.
    ///   - settings: further lines of the table `attendance`.
    static func withLectures(
        timetable events: String = Self.lectures,
        roster rows: String = "Physics,s1,\(badgeOfStudent),Ann Other\nChemistry,s2,,=Ben\n", settings: String = "",
        isolation: isolated (any Actor)? = #isolation, _ body: (TestAPI) async throws -> Void
    ) async throws {
        let directory = try TemporaryDirectory()
        let timetable = try directory.write("t.ics", events)
        let roster = try directory.write("r.csv", "course,student,subject,name\n" + rows)
        let configuration =
            pageConfiguration + """
                [[lecturers]]
                account = "4711"
                courses = ["physics"]
                [[rooms]]
                name = "Hopper Hall"
                beacons = ["\(beacon)"]
                [attendance]
                timetable-files = ["\(timetable)"]
                roster-file = "\(roster)"
                \(settings)
                """
        try await with(configuration: configuration, body)
    }
}
