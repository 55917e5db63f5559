import SignIn
import TestSupport
import Testing

extension TestAPI {
    /// Event of a calendar on the day of the tests.
    struct Event {
        var uid: String
        var course: String
        var hour = 8
        var room = "Hopper Hall"
    }

    /// Runs `body` with a page on which attendance has no files but those that are uploaded. The lecturer 4711 holds
    /// the courses on physics and optics, 4712 that on chemistry.
    static func withUploads(
        attendance: String = "", isolation: isolated (any Actor)? = #isolation, _ body: (TestAPI) async throws -> Void
    ) async throws {
        let configuration =
            pageConfiguration + """
                [[lecturers]]
                account = "4711"
                courses = ["Physics", "Optics"]
                [[lecturers]]
                account = "4712"
                courses = ["Chemistry"]
                [[rooms]]
                name = "Hopper Hall"
                beacons = ["\(beacon)"]
                [attendance]

                """ + attendance
        try await with(configuration: configuration, body)
    }

    func physicist() throws -> Browser { try browser(.lecturer, name: "Lea Lecturer", number: "4711") }
    func chemist() throws -> Browser { try browser(.lecturer, name: "Cleo Chemist", number: "4712") }

    static func calendar(_ events: [Event]) -> (name: String, bytes: [UInt8]) {
        let lines =
            ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//test//test//EN"]
            + events.flatMap { event -> [String] in
                let hour = event.hour < 10 ? "0\(event.hour)" : "\(event.hour)"
                return [
                    "BEGIN:VEVENT", "UID:\(event.uid)", "DTSTAMP:20261101T000000Z",
                    "DTSTART:20261102T\(hour)0000Z", "DURATION:PT45M", "SUMMARY:\(event.course)",
                    "LOCATION:\(event.room)", "END:VEVENT",
                ]
            } + ["END:VCALENDAR", ""]
        return ("lectures.ics", Array(lines.joined(separator: "\r\n").utf8))
    }

    static func roster(_ rows: String...) -> (name: String, bytes: [UInt8]) {
        let lines = ["course,student,subject,name"] + rows
        return ("roster.csv", Array(lines.map { $0 + "\n" }.joined().utf8))
    }
}
