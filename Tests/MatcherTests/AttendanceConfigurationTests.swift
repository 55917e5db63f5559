import Attendance
import OperatorText
import Testing

@testable import MatcherDaemon
@testable import Timetables

@Suite struct AttendanceConfigurationTests {
    private func parse(_ text: String) throws(ConfigurationError) -> AttendanceSettings? {
        try MatcherConfiguration.parse(text, path: "m.toml", readFile: { _ in [] }).attendance
    }

    private static let files = "[attendance]\ntimetable-files = [\"/t.ics\"]\nroster-file = \"/r.csv\"\n"

    @Test func `What isn't given is as universities have it`() throws {
        let settings = try #require(try parse(Self.files))
        #expect(settings.timetableFiles == ["/t.ics"])
        #expect(settings.rosterFile == "/r.csv")
        #expect(settings.zone == nil)
        #expect(settings.course == .summary)
        #expect(
            settings.rules
                == AttendanceRules(
                    leastDwell: 600, lateAfter: 600, earlyBefore: 600, gap: 300, lookAhead: 900,
                    countsUnknownDistance: false))
        #expect(try parse("") == nil)
    }

    @Test func `Without files only what is uploaded counts`() throws {
        let settings = try #require(try parse("[attendance]"))
        #expect(settings.timetableFiles.isEmpty && settings.rosterFile == nil)
    }

    @Test func `What is given is taken`() throws {
        let settings = try #require(
            try parse(
                Self.files
                    + """
                    course = "categories"
                    late-after = "15m"
                    early-before = "5m"
                    least-dwell = "45m"
                    gap = "90s"
                    look-ahead = "30m"
                    unknown-distance = "inside"
                    [site]
                    time-zone = "Europe/Berlin"
                    """))
        #expect(settings.zone?.name == "Europe/Berlin")
        #expect(settings.course == .categories)
        #expect(
            settings.rules
                == AttendanceRules(
                    leastDwell: 2700, lateAfter: 900, earlyBefore: 300, gap: 90, lookAhead: 1800,
                    countsUnknownDistance: true))
    }

    @Test(
        "What is wrong is said with what is allowed",
        arguments: [
            ("[attendance]\ntimetable-files = []\nroster-file = \"/r\"", "attendance.timetable-files: has 0 entries"),
            (
                "[site]\ntime-zone = \"Berlin\"",
                "site.time-zone: found \"Berlin\"; must be the name of a time zone"
            ),
            (
                files + "time-zone = \"Europe/Berlin\"",
                "attendance.time-zone: is no longer supported; set it once, in the table [site]"
            ),
            (files + "gap = \"2d\"", "attendance.gap: found \"2d\"; must be a number with a unit"),
            (files + "least-dwell = 10", "attendance.least-dwell: found 10; must have a unit"),
            (files + "course = \"room\"", "attendance.course: found \"room\"; must be \"summary\" or \"categories\""),
            (files + "unknown-distance = \"far\"", "attendance.unknown-distance: found \"far\"; must be \"inside\""),
            (files + "late = \"5m\"", "attendance.late: is unknown"),
        ])
    func wrong(text: String, problem: String) {
        do throws(ConfigurationError) {
            _ = try parse(text)
            Issue.record("it was taken")
        } catch {
            #expect(error.problems.contains { $0.description.hasPrefix(problem) }, "\(error)")
        }
    }
}
