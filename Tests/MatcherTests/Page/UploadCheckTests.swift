import Attendance
import InteractionStore
import OperatorText
import Testing
import Timetables

@testable import MatcherDaemon
@testable import Pages

@Suite("Checks of uploads") struct UploadCheckTests {
    /// 2026-11-02T08:00:00Z.
    private static let now: Int64 = 1_793_606_400
    private static let day: Int64 = 86_400

    private static func calendar(_ events: [String]) -> [UInt8] {
        let lines = events.map { "BEGIN:VEVENT\r\n\($0)\r\nDURATION:PT1H\r\nSUMMARY:Physics\r\nEND:VEVENT\r\n" }
        return Array(("BEGIN:VCALENDAR\r\nVERSION:2.0\r\n" + lines.joined() + "END:VCALENDAR\r\n").utf8)
    }

    private static func timetable(_ name: String, _ events: [String], at: Int64 = Self.now) -> UploadedFile {
        UploadedFile(
            .timetable, name: name, content: String(decoding: calendar(events), as: UTF8.self), by: "Lea", at: at)
    }

    private static let configuration = "[attendance]"

    private func settings() throws -> AttendanceSettings {
        try #require(
            try MatcherConfiguration.parse(Self.configuration, path: "m.toml", readFile: { _ in [] }).attendance)
    }

    private func files(_ uploads: [UploadedFile], mostLectures: Int = 10) throws -> AttendanceFiles {
        try AttendanceFiles.read(
            settings(), uploads: uploads, now: Self.now, mostLectures: mostLectures, readFile: { _ in [] })
    }

    /// Rules of a lecturer for physics.
    private func rules(_ uploads: [UploadedFile] = []) throws -> UploadCheck.Rules {
        let configuration = try MatcherConfiguration.parse(
            Self.configuration, path: "m.toml", readFile: { _ in [] })
        let (settings, files) = (try settings(), try files(uploads))
        return UploadCheck.Rules(
            access: AttendanceAccess(
                files: files, search: AttendanceSearch(configuration, settings, files, now: Self.now),
                words: DayWords(days: .utc), courses: ["physics"], now: Self.now),
            settings: settings, fixedBeacons: [], ownCourses: ["Physics"], by: "Lea")
    }

    private func check(_ events: [String], name: String = "t", _ rules: UploadCheck.Rules) -> UploadCheck {
        UploadCheck.timetable(
            MultipartForm.File(name: "t.ics", bytes: Self.calendar(events)), name: name, rules)
    }

    private static let two = ["UID:a\r\nDTSTART:20261102T080000Z", "UID:b\r\nDTSTART:20261103T080000Z"]

    @Test func `All uploads together have a limit of lectures`() throws {
        var rules = try rules([Self.timetable("other", Self.two)])
        rules.mostLectures = 4
        let fits = ["UID:c\r\nDTSTART:20261104T080000Z", "UID:d\r\nDTSTART:20261104T100000Z"]
        #expect(check(fits, rules).problems.isEmpty)
        let more = check(fits + ["UID:e\r\nDTSTART:20261105T080000Z"], rules)
        #expect(
            more.problems.map(\.description).first?.hasPrefix(
                "file: makes it 5 lectures in all uploaded timetables; must be at most 4") == true)
        // What is replaced does not count.
        #expect(check(fits + Self.two, name: "other", rules).problems.isEmpty)
    }

    @Test func `Reading stops where uploads have too many lectures`() throws {
        let uploads = [Self.timetable("one", Self.two), Self.timetable("two", [Self.two[0]])]
        #expect(try files(uploads, mostLectures: 3).uploads.map(\.replaced) == [0, 1])
        let error = #expect(throws: AttendanceFileError.self) { try files(uploads, mostLectures: 2) }
        #expect(error?.problems.first?.file == "uploaded timetable two")
    }

    @Test func `A roster is measured as it would be stored`() throws {
        var rules = try rules()
        let file = MultipartForm.File(name: "r.csv", bytes: Array("course,student,subject\nPhysics,1\n".utf8))
        let stored = try #require(UploadCheck.roster(file, rules).uploads.first).content.utf8.count
        #expect(stored > file.bytes.count)
        rules.longestRoster = stored - 1
        #expect(
            UploadCheck.roster(file, rules).problems.map(\.description) == [
                "course \"Physics\": has \(stored) bytes as it would be stored; must have at most \(stored - 1): "
                    + "leave rows out"
            ])
    }

    @Test func `A timetable that has no lectures any more keeps its courses, and is replaced`() throws {
        let old = Self.now - 500 * Self.day
        let rules = try rules([Self.timetable("t", ["UID:a\r\nDTSTART:20250701T080000Z"], at: old)])
        let upload = try #require(rules.access.files.uploads.first)
        #expect(upload.lectures == 0 && upload.courses == ["Physics"] && upload.isWithin(["physics"]))
        let replacing = check(Self.two, rules)
        #expect(replacing.problems.isEmpty && replacing.replacing == nil)
        var others = rules
        others.access.courses = ["chemistry"]
        #expect(check(Self.two, others).problems.contains { $0.location == "name" })
    }

    // Each year of a rule costs the days in it, of 2,000,000 for the file.
    @Test func `Repetitions that could not be read half a year later are refused now`() throws {
        let events = (0..<95).map { "UID:\($0)\r\nDTSTART:19700801T080000Z\r\nRRULE:FREQ=YEARLY" }
        let now = try Timetable.parse(
            Self.calendar(events), file: "t.ics", zone: nil, span: AttendanceFiles.span(Self.now))
        #expect(!now.lectures.isEmpty)
        let problems = check(events, try rules()).problems.map(\.description)
        #expect(problems.contains { $0.contains("take too long to evaluate") }, "\(problems)")
    }

    @Test func `Mistakes in every row are counted, and the first of them kept`() throws {
        let rows = (0..<70).map { "Chemistry,\($0),\n" }.joined()
        let check = UploadCheck.roster(
            MultipartForm.File(name: "r.csv", bytes: Array(("course,student,subject\n" + rows).utf8)), try rules())
        #expect(check.problems.count == 50 && check.others == 20)
        #expect(check.review.others == "Not listed: 20 more.")
    }
}
