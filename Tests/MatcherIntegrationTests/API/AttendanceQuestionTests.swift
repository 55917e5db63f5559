import Attendance
import InteractionStore
import SystemIO
import TestSupport
import Testing

@Suite("Questions of operators about attendance", .timeLimit(.minutes(10))) struct AttendanceQuestionTests {
    private static let calendar = """
        BEGIN:VCALENDAR\r
        VERSION:2.0\r
        PRODID:-//test//test//EN\r
        BEGIN:VEVENT\r
        UID:physics-1\r
        DTSTAMP:20260301T000000Z\r
        DTSTART:20260401T080000Z\r
        DTEND:20260401T090000Z\r
        RRULE:FREQ=DAILY;COUNT=216\r
        SUMMARY:Physics\r
        LOCATION:101\r
        END:VEVENT\r
        END:VCALENDAR\r

        """

    // 216 lectures of 300 students, the last one of today: 64,800 entries. A question for a year had taken 2.7 GB.
    @Test func `A question with too many entries is refused with what to choose, and smaller ones are answered`()
        async throws
    {
        let directory = try TemporaryDirectory()
        let timetable = try directory.write("t.ics", Self.calendar)
        let students = (1...300).map { "Physics,s\($0),badge:\(TestAPI.beacon.dropLast(3))7/\($0)" }
        let roster = try directory.write(
            "r.csv", "course,student,subject\n" + students.joined(separator: "\n") + "\n")
        let configuration = """
            [[rooms]]
            name = "101"
            beacons = ["\(TestAPI.beacon)"]

            [attendance]
            timetable-files = ["\(timetable)"]
            roster-file = "\(roster)"
            """
        try await TestAPI.with(configuration: configuration) { api in
            func ask(_ query: String) async throws -> TestAPI.Answer {
                try await api.get("/v1/attendance" + query, secret: TestAPI.operatorToken)
            }
            let all = try await ask("?from=2026-01-01")
            #expect(all.status == 422, "\(all.text.prefix(300))")
            #expect(
                all.text.contains(
                    "the response has more than 50000 entries; specify a course, a student or a shorter time"),
                "\(all.text.prefix(300))")
            let one = try await ask("?from=2026-01-01&student=s7")
            #expect(one.status == 200, "\(one.text.prefix(300))")
            #expect(one.text.ranges(of: #""student":"s7""#).count > 216)
            #expect(try await ask("").status == 200)
        }
    }

    @Test func `Only an officer sees names and why an attendance was corrected, and the audit has who asked`()
        async throws
    {
        let directory = try TemporaryDirectory()
        let once = Self.calendar.replacing("RRULE:FREQ=DAILY;COUNT=216\r\n", with: "")
            .replacing("20260401T", with: "20261102T")
        let timetable = try directory.write("t.ics", once)
        let roster = try directory.write("r.csv", "course,student,subject,name\nPhysics,s1,,Ann Other\n")
        let configuration = """
            [attendance]
            timetable-files = ["\(timetable)"]
            roster-file = "\(roster)"
            """
        try await TestAPI.with(configuration: configuration) { api in
            let correction = Correction(
                lecture: "physics-1", student: "s1", at: morning, by: "Lea Lecturer", reason: "was ill", from: .unknown,
                to: .excused)
            try api.store.use { try $0.correct(correction) }
            let path = "/v1/attendance?from=2026-11-02&student=s1"
            let officer = try await api.get(path, secret: TestAPI.officerToken)
            let desk = try await api.get(path, secret: TestAPI.operatorToken)
            for answer in [officer, desk] {
                #expect(answer.status == 200, "\(answer.text)")
                for part in [#""student":"s1""#, #""status":"excused""#, #""from":"unknown""#] {
                    #expect(answer.text.contains(part), "\(part): \(answer.text)")
                }
            }
            for part in ["Ann Other", "was ill", "Lea Lecturer"] {
                #expect(officer.text.contains(part), "\(part): \(officer.text)")
                #expect(!desk.text.contains(part), "\(part): \(desk.text)")
            }
            let entries = try api.store.use { try $0.audit(limit: 10).map { $0.entry } }
            #expect(entries.map(\.action) == [.sawAttendance, .sawAttendance])
            #expect(entries.map(\.object) == ["s1", "s1"] && entries.map(\.name) == ["API, desk", "API, office"])
            #expect(entries.first?.detail == "all lectures of the student, without names")
        }
    }

    // Both wait for the store when they are both let in.
    @Test func `Of two questions of one operator at once the second waits, and is told so`() async throws {
        try await TestAPI.withStudent { api, _, _ in
            // The lecture is over: of others nobody asks the store.
            api.clock.withLock { $0 += 2 * 3600 }
            let (isHeld, mayGo) = (LockedValue(false), LockedValue(false))
            defer { mayGo.withLock { $0 = true } }
            try DedicatedThread.start(name: "holder") { [store = api.store] in
                store.use { _ in
                    isHeld.withLock { $0 = true }
                    mayGo.wait { $0 }
                }
            }
            try await DedicatedThread.run(name: "waiter") { isHeld.wait { $0 } }
            try await withThrowingTaskGroup(of: TestAPI.Answer.self) { group in
                for _ in 0..<2 {
                    group.addTask { try await api.get("/v1/attendance", secret: TestAPI.operatorToken) }
                }
                let first = try #require(try await group.next())
                #expect(first.status == 429 && first.headers["retry-after"] == "5", "\(first.text)")
                mayGo.withLock { $0 = true }
                let second = try #require(try await group.next())
                #expect(second.status == 200, "\(second.text)")
            }
            #expect(try await api.get("/v1/attendance", secret: TestAPI.operatorToken).status == 200)
        }
    }
}
