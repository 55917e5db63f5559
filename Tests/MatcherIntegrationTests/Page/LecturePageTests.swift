import Attendance
import InteractionStore
import Pages
import SignIn
import TestSupport
import Testing

@testable import MatcherDaemon

@Suite("Screens of attendance", .timeLimit(.minutes(10))) struct LecturePageTests {
    @Test func `Lecturers see their own courses, and officers all`() async throws {
        try await TestAPI.withLectures { api in
            let lecturer = try api.browser(.lecturer, name: "Lea", number: "4711")
            let own = try await lecturer.get("/lectures")
            #expect(own.status == 200, "\(own.text)")
            #expect(own.text.contains("Physics") && !own.text.contains("Chemistry"))
            for path in [
                "/lectures?course=Chemistry", "/lecture?id=chemistry-1", "/lecture.csv?id=chemistry-1",
                "/timeline?student=s2", "/timeline?student=nobody",
            ] { #expect(try await lecturer.get(path).status == 403, "\(path)") }
            let officer = try api.browser(.officer)
            let all = try await officer.get("/lectures")
            #expect(all.text.contains("Physics") && all.text.contains("Chemistry"))
            #expect(try await officer.get("/lecture?id=chemistry-1").status == 200)
        }
    }

    @Test func `A lecturer without courses is told who lists them`() async throws {
        try await TestAPI.withLectures { api in
            let answer = try await api.browser(.lecturer, name: "Other", number: "1").get("/lectures")
            #expect(answer.status == 200)
            #expect(answer.text.contains("No course is listed for your account."))
        }
    }

    @Test func `The latest correction counts, and all are shown`() async throws {
        try await TestAPI.withLectures { api in
            let lecturer = try api.browser(.lecturer, name: "Lea Lecturer", number: "4711")
            for (status, reason) in [("excused", "was ill"), ("present", "sat in the last row")] {
                let answer = try await lecturer.post(
                    "/lecture/correct",
                    ["lecture": "physics-1", "student": "s1", "status": status, "reason": reason])
                #expect(answer.status == 303, "\(answer.text)")
                #expect(answer.headers["location"] == "/lecture?id=physics-1&done=corrected")
            }
            let page = try await lecturer.get("/lecture?id=physics-1&done=corrected").text
            for part in [
                "The correction is saved.", "<span class=\"tag good\">Present</span>",
                "Corrected from not known to excused by Lea Lecturer", "Corrected from excused to present", "was ill",
            ] { #expect(page.contains(part), "\(part)") }
            let actions = try api.store.use { try $0.audit(limit: 10).map { $0.entry.action } }
            #expect(actions.count { $0 == .correctedAttendance } == 2)
            #expect(actions.contains(.sawAttendance))
        }
    }

    @Test func `The form of a correction has another status chosen than the student has`() async throws {
        try await TestAPI.withLectures { api in
            let lecturer = try api.browser(.lecturer, name: "Lea", number: "4711")
            for (status, chosen) in [("excused", "present"), ("present", "absent"), ("late", "present")] {
                let fields = ["lecture": "physics-1", "student": "s1", "status": status, "reason": "was seen"]
                #expect(try await lecturer.post("/lecture/correct", fields).status == 303)
                let page = try await lecturer.get("/lecture?id=physics-1").text
                #expect(page.contains("<option value=\"\(chosen)\" selected>"), "\(status)")
                #expect(!page.contains("<option value=\"\(status)\" selected>"), "\(status)")
            }
        }
    }

    @Test func `A correction without a reason changes nothing, and keeps what was chosen`() async throws {
        try await TestAPI.withLectures { api in
            let lecturer = try api.browser(.lecturer, name: "Lea", number: "4711")
            let answer = try await lecturer.post(
                "/lecture/correct", ["lecture": "physics-1", "student": "s1", "status": "late", "reason": " "])
            #expect(answer.status == 422)
            #expect(answer.text.contains("Nothing was saved.") && answer.text.contains("<details open>"))
            #expect(answer.text.contains("<option value=\"late\" selected>"))
            let other = ["lecture": "chemistry-1", "student": "s2", "status": "late", "reason": "x"]
            #expect(try await lecturer.post("/lecture/correct", other).status == 403)
            let nobody = ["lecture": "physics-1", "student": "s2", "status": "late", "reason": "x"]
            #expect(try await lecturer.post("/lecture/correct", nobody).status == 404)
            let corrections = try api.store.use { try $0.corrections() }
            #expect(corrections.isEmpty)
        }
    }

    @Test func `The table is that of the command, for spreadsheets and without formulas, and is audited`() async throws
    {
        try await TestAPI.withLectures { api in
            let officer = try api.browser(.officer)
            let answer = try await officer.get("/lecture.csv?id=chemistry-1")
            #expect(answer.headers["content-type"] == "text/csv; charset=utf-8")
            #expect(answer.headers["content-disposition"] == "attachment; filename=\"attendance-2026-11-02.csv\"")
            // The mark shows spreadsheets that the text is UTF-8.
            #expect(answer.text.hasPrefix("\u{FEFF}lecture,course,title,room,start,end,student,name,status"))
            #expect(answer.text.contains(",s2,'=Ben,unknown,"))
            let actions = try api.store.use { try $0.audit(limit: 10).map { $0.entry.action } }
            #expect(actions == [.exported])
            #expect(try await officer.get("/lecture.csv?id=physics-2").status == 422)
        }
    }

    @Test func `A lecture to come has no judged attendance`() async throws {
        try await TestAPI.withLectures { api in
            let page = try await api.browser(.officer).get("/lecture?id=physics-2").text
            #expect(page.contains("This lecture is not over.") && page.contains("Not over yet"))
            #expect(!page.contains("/lecture.csv"))
        }
    }

    @Test func `Percentages and the timeline of a student are answered`() async throws {
        try await TestAPI.withLectures { api in
            let lecturer = try api.browser(.lecturer, name: "Lea", number: "4711")
            let students = try await lecturer.get("/lectures?course=physics&students=yes")
            #expect(students.status == 200)
            #expect(students.text.contains("Students of Physics") && students.text.contains("Ann Other"))
            #expect(students.text.contains("All lectures that have ended."))
            #expect(students.text.contains("/lecture?id=physics-1\">Mon 2026-11-02"))
            #expect(students.text.contains("<td data-label=\"Mon 2026-11-02"))
            let timeline = try await lecturer.get("/timeline?student=s1")
            #expect(timeline.status == 200)
            #expect(timeline.text.contains("Attendance of Ann Other"))
            #expect(timeline.text.contains("Mon 2026-11-02"))
        }
    }

    @Test func `Whoever asks for students without a course is told to choose one`() async throws {
        try await TestAPI.withLectures { api in
            let lecturer = try api.browser(.lecturer, name: "Lea", number: "4711")
            let hint = "Choose a course to see its students."
            let asked = try await lecturer.get("/lectures?students=yes").text
            // The choice leads to the students, and not to lectures only.
            #expect(asked.contains(hint) && asked.contains("name=\"students\" value=\"yes\""))
            #expect(try await !lecturer.get("/lectures").text.contains(hint))
            #expect(try await !lecturer.get("/lectures?course=physics&students=yes").text.contains(hint))
        }
    }

    /// Rows of a roster with students of physics, the last in the file first in the order of names.
    private static func roster(_ count: Int) -> String {
        (1...count).reversed().map { "Physics,s\($0),,Student \(1000 + $0)\n" }.joined()
    }

    /// Numbers of the students in the first table after a text, in their order.
    private static func shown(_ page: String, after text: String) -> [Int] {
        guard let start = page.firstRange(of: text)?.upperBound else { return [] }
        let rest = page[start...]
        let rows = rest[..<(rest.firstRange(of: "</tbody>")?.lowerBound ?? rest.endIndex)]
        return rows.split(separator: "\n").compactMap { row in
            row.firstRange(of: ">Student ").flatMap { Int(row[$0.upperBound...].prefix(4)) }
        }
    }

    @Test func `A large course is shown in parts, by name, in both tables`() async throws {
        try await TestAPI.withLectures(roster: Self.roster(70)) { api in
            let lecturer = try api.browser(.lecturer, name: "Lea", number: "4711")
            let path = "/lectures?course=Physics&students=yes"
            let parts: [(from: Int, students: ClosedRange<Int>)] = [(0, 1...30), (30, 31...60), (60, 61...70)]
            for (from, students) in parts {
                let page = try await lecturer.get(path + "&from=\(from)").text
                let expected = students.map { 1000 + $0 }
                #expect(Self.shown(page, after: "Students with percentages\"") == expected, "from \(from)")
                #expect(Self.shown(page, after: "Lectures and students\"") == expected, "from \(from)")
                #expect(
                    page.contains("<p>Students \(students.lowerBound) to \(students.upperBound) of 70.</p>"))
                let link = "href=\"/lectures?course=Physics&amp;students=yes&amp;from="
                #expect(page.contains("rel=\"prev\"") == (from > 0))
                #expect(page.contains("rel=\"prev\" \(link)\(from - 30)\"") == (from > 0), "from \(from)")
                #expect(page.contains("rel=\"next\"") == (from < 60))
                #expect(page.contains("rel=\"next\" \(link)\(from + 30)\"") == (from < 60), "from \(from)")
                #expect(page.contains("All students"))
            }
            let details = try api.store.use { try $0.audit(limit: 10).map { $0.entry.detail } }
            #expect(details.contains("percentages of students 31 to 60 of 70"))
        }
    }

    @Test(arguments: [
        ("29", "1 to 30"), ("69", "61 to 70"), ("70", "61 to 70"), ("1000000", "61 to 70"),
        ("9223372036854775807", "61 to 70"), ("-1", "1 to 30"), ("-9223372036854775808", "1 to 30"),
        ("two", "1 to 30"), ("", "1 to 30"), ("1.5", "1 to 30"),
    ])
    func `A place outside of the course means its first or last part, and one that is no number the first`(
        from: String, students: String
    ) async throws {
        try await TestAPI.withLectures(roster: Self.roster(70)) { api in
            let answer = try await api.browser(.officer).get("/lectures?course=Physics&students=yes&from=" + from)
            #expect(answer.status == 200)
            #expect(answer.text.contains("<p>Students \(students) of 70.</p>"))
        }
    }

    @Test func `A course of one part has neither an extent nor links to others`() async throws {
        try await TestAPI.withLectures(roster: Self.roster(30)) { api in
            let page = try await api.browser(.officer).get("/lectures?course=Physics&students=yes").text
            #expect(Self.shown(page, after: "Students with percentages\"").count == 30)
            #expect(!page.contains(" of 30.") && !page.contains("rel=\"next\"") && !page.contains("rel=\"prev\""))
            let details = try api.store.use { try $0.audit(limit: 10).map { $0.entry.detail } }
            #expect(details == ["percentages of all students"])
        }
    }

    @Test func `A page of a course with 120 students and ten lectures has less than 60 kB`() async throws {
        let events = (22...31).map { day in
            """
            BEGIN:VEVENT\r
            UID:physics-\(day)\r
            DTSTAMP:20261001T000000Z\r
            DTSTART:202610\(day)T080000Z\r
            DTEND:202610\(day)T093000Z\r
            SUMMARY:Physics\r
            LOCATION:Hopper Hall\r
            END:VEVENT\r

            """
        }
        let timetable =
            "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//test//test//EN\r\n" + events.joined()
            + "END:VCALENDAR\r\n"
        try await TestAPI.withLectures(timetable: timetable, roster: Self.roster(120)) { api in
            let page = try await api.browser(.officer).get("/lectures?course=Physics&students=yes")
            #expect(page.text.ranges(of: "<td data-label=\"Thu 2026-10-22").count == 30)
            #expect(page.body.count < 60_000)
        }
    }

    /// Daily lectures of physics at 8:00, 40 of which have ended; the first was on 2026-09-24.
    private static let daily =
        "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//test//test//EN\r\nBEGIN:VEVENT\r\nUID:physics\r\n"
        + "DTSTAMP:20260901T000000Z\r\nDTSTART:20260924T080000Z\r\nDTEND:20260924T093000Z\r\n"
        + "RRULE:FREQ=DAILY;COUNT=40\r\nSUMMARY:Physics\r\nLOCATION:Hopper Hall\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n"

    @Test func `What was settled of lectures long ago counts in percentages and for a student`() async throws {
        try await TestAPI.withLectures(timetable: Self.daily) { api in
            let start = morning - 39 * 86_400
            try api.store.use { store in
                try store.settle([
                    SettledVerdict(
                        lecture: "physics/2026-09-24T08:00:00Z", student: "s1",
                        time: LectureTime(start: start, end: start + 5400), status: .present, dwell: 5400,
                        firstSeen: start, lastSeen: start + 5400)
                ])
            }
            let lecturer = try api.browser(.lecturer, name: "Lea", number: "4711")
            let students = try await lecturer.get("/lectures?course=physics&students=yes").text
            #expect(students.contains("40 lectures since Thu 2026-09-24.") && students.contains("1 of 1"))
            let timeline = try await lecturer.get("/timeline?student=s1").text
            #expect(timeline.contains("Lectures since Thu 2026-09-24, of your courses only."))
            #expect(timeline.contains("1 of 1") && timeline.contains("<span class=\"tag good\">Present</span>"))
        }
    }

    @Test func `All past lectures of a course are listed, in parts`() async throws {
        try await TestAPI.withLectures(timetable: Self.daily) { api in
            let lecturer = try api.browser(.lecturer, name: "Lea", number: "4711")
            let latest = try await lecturer.get("/lectures?course=physics").text
            #expect(latest.contains("Lectures 1 to 30 of 40."))
            #expect(latest.contains("href=\"/lectures?course=Physics&amp;past=30\">Earlier lectures</a>"))
            #expect(latest.contains("2026-11-02") && !latest.contains("2026-09-24"))
            let earlier = try await lecturer.get("/lectures?course=Physics&past=30").text
            #expect(earlier.contains("Lectures 31 to 40 of 40.") && earlier.contains("2026-09-24"))
            #expect(!earlier.contains("Earlier lectures"))
            for place in ["-9223372036854775808", "9223372036854775807", "x"] {
                #expect(try await lecturer.get("/lectures?course=Physics&past=\(place)").status == 200, "\(place)")
            }
            // Without a course, those of the last two weeks.
            let all = try await lecturer.get("/lectures").text
            #expect(all.contains("2026-10-20") && !all.contains("2026-10-18"))
        }
    }

    @Test func `A damaged roster is shown with its lines, without what is there`() async throws {
        try await TestAPI.withLectures(roster: "Physics,s1,nonsense,Ann Other\n") { api in
            let answer = try await api.browser(.lecturer, name: "Lea", number: "4711").get("/lectures")
            #expect(answer.status == 503)
            #expect(answer.text.contains("r.csv: line 2, column subject"))
            #expect(!answer.text.contains("nonsense"))
            let officer = try await api.browser(.officer).get("/lecture?id=physics-1")
            #expect(officer.status == 503 && officer.text.contains("nonsense"))
        }
    }

    @Test func `Without attendance in the configuration the page says what to add`() async throws {
        try await TestAPI.with(configuration: TestAPI.pageConfiguration) { api in
            let answer = try await api.browser(.officer).get("/lectures")
            #expect(answer.status == 404)
            #expect(answer.text.contains("[attendance]") && answer.text.contains("roster-file"))
        }
    }
}
