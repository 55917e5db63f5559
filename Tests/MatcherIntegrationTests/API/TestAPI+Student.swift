import MatcherCore
import Matching
import TestSupport
import Testing

extension TestAPI {
    private static let calendar = """
        BEGIN:VCALENDAR\r
        VERSION:2.0\r
        PRODID:-//test//test//EN\r
        BEGIN:VEVENT\r
        UID:physics-1\r
        DTSTAMP:20261101T000000Z\r
        DTSTART:20261102T121000Z\r
        DTEND:20261102T133000Z\r
        SUMMARY:Physics\r
        LOCATION:101\r
        END:VEVENT\r
        END:VCALENDAR\r

        """

    /// Runs `body` with a student whose badge is on the roster; the lecture is from 12:10 to 13:30.
    static func withStudent(
        carrying subject: String = "badge:\(beacon.dropLast(1))2",
        _ body: (TestAPI, _ badge: SubjectIdentity, _ secret: String) async throws -> Void
    ) async throws {
        let directory = try TemporaryDirectory()
        let badge = try #require(SubjectIdentity(subject))
        let timetable = try directory.write("t.ics", Self.calendar)
        let roster = try directory.write("r.csv", "course,student,subject\nPhysics,s1,\(badge)\n")
        let configuration = """
            [[rooms]]
            name = "101"
            beacons = ["\(beacon)"]

            [attendance]
            timetable-files = ["\(timetable)"]
            roster-file = "\(roster)"
            """
        try await with(configuration: configuration) { api in
            try await body(api, badge, api.secrets.secret(of: badge))
        }
    }
}
