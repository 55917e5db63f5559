import Attendance
import InteractionStore
import Matching
import Pages
import People
import SignIn
import SystemIO
import Testing

@testable import MatcherCore
@testable import MatcherDaemon

@Suite("A person's own data on the page", .timeLimit(.minutes(10))) struct MyDataScreenTests {
    private func with<Value>(
        isolation: isolated (any Actor)? = #isolation, _ body: (TestAPI) async throws -> Value
    ) async throws -> Value {
        try await TestAPI.with(configuration: TestAPI.pageConfiguration, body)
    }

    private func phoneOfBen(_ api: TestAPI) throws -> SubjectIdentity {
        try #require(try api.store.use { try $0.person(number: "s2") }?.subjects.first)
    }

    @Test func `What is kept is counted by kinds, with times`() async throws {
        try await with { api in
            _ = try await api.exposeBen()
            let page = try await api.browser(.student, name: "Ben", number: "s2").get("/my-data").text
            for part in [
                "1 time, Mon 2026-11-02 to Mon 2026-11-02", "1 exposure", "28 days", "1 entry",
                "Type your number s2 to confirm", "What is not deleted here",
            ] { #expect(page.contains(part), "\(part)") }
        }
    }

    @Test func `Deletion erases what the command erases, and names nobody in the audit`() async throws {
        try await with { api in
            _ = try await api.exposeBen()
            let phone = try phoneOfBen(api)
            let student = try api.browser(.student, name: "Ben of the test", number: "s2")
            let day = 86_400 as Int64
            let at = morning
            try api.store.use { store in
                try store.save(
                    StoredQuestionnaire(day: at / day, answers: "contact=yes", result: "medium", at: at), number: "s2")
            }
            let answer = try await student.post("/my-data/erase", ["number": "s2"])
            #expect(answer.status == 303 && answer.headers["location"] == "/my-data?done=erased")
            try api.store.use { store in
                let holdings = try store.holdings(of: phone)
                #expect(holdings.isEmpty, "\(holdings)")
                #expect(try store.person(number: "s2") == nil)
                #expect(try store.questionnaires(of: "s2").isEmpty)
                // The topic at the broker is emptied, and the former secret is worth nothing.
                #expect(try store.withdrawals().count == 1)
                #expect(try store.secretVersions(of: [phone])[phone] ?? 0 != 0)
                let entries = try store.audit(limit: 20).map { $0.entry }.filter { $0.action == .erasedOwnData }
                #expect(entries.count == 1)
                let entry = "\(entries)"
                #expect(!entry.contains("Ben") && !entry.contains("s2") && !entry.contains(phone.id))
            }
            let page = try await student.get("/my-data?done=erased").text
            #expect(
                page.contains("Your data is deleted.") && page.contains("There is nothing that can be deleted here."))
        }
    }

    @Test func `A test result that was sent in with the person's number is counted, and deleted with the rest`()
        async throws
    {
        try await with { api in
            let student = try api.browser(.student, name: "Ben", number: "s2")
            let at = api.clock.withLock { $0 }
            let result = SubmittedResult(
                reference: "a", state: .waiting, at: at, sender: .init(name: "B", number: "S2", contact: ""),
                proof: .code)
            #expect(try api.store.use { try $0.send(result, now: at) })
            let page = try await student.get("/my-data").text
            #expect(page.contains("Test results sent in with your number") && page.contains("1 result"))
            #expect(try await student.post("/my-data/erase", ["number": "s2"]).status == 303)
            #expect(try api.store.use { try $0.waitingResultCount() } == 0)
        }
    }

    @Test func `Without the person's number nothing is deleted`() async throws {
        try await with { api in
            _ = try await api.exposeBen()
            let phone = try phoneOfBen(api)
            let student = try api.browser(.student, name: "Ben", number: "s2")
            for number in ["", "s1", "S2 "] {
                let answer = try await student.post("/my-data/erase", ["number": number])
                #expect(answer.status == 422 && answer.text.contains("nothing was deleted"))
            }
            #expect(try await student.post("/my-data/erase").status == 422)
            #expect(try !api.store.use { try $0.holdings(of: phone) }.isEmpty)
            // Another person's number deletes nothing of either.
            let other = try api.browser(.student, name: "Cy", number: "s3")
            #expect(try await other.post("/my-data/erase", ["number": "s2"]).status == 422)
            #expect(try !api.store.use { try $0.holdings(of: phone) }.isEmpty)
        }
    }

    @Test func `A roster's badge that the register gives to another is not theirs to delete`() async throws {
        try await TestAPI.withLectures { api in
            let badge = try #require(SubjectIdentity(TestAPI.badgeOfStudent))
            try api.hear(badge, 0...20, sequence: 1)
            let student = try api.browser(.student, name: "Ann", number: "s1")
            #expect(try await student.get("/my-data").text.contains(badge.id))
            let holder = Person(number: "s7", name: "Di", contact: [], subjects: [badge])
            _ = try api.store.use { try $0.importPeople([holder], keepsOthers: false, isTrial: false) }
            #expect(try await !student.get("/my-data").text.contains(badge.id))
            _ = try await student.post("/my-data/erase", ["number": "s1"])
            #expect(try api.store.use { try $0.holdings(of: badge) }.interactions == 1)
        }
    }

    @Test func `While the roster is damaged, nobody is told that nothing is known or deleted`() async throws {
        try await TestAPI.withLectures { api in
            let badge = try #require(SubjectIdentity(TestAPI.badgeOfStudent))
            try api.hear(badge, 0...20, sequence: 1)
            let upload = UploadedFile(.roster, name: "chemistry", content: "damaged", by: "Lea", at: morning)
            #expect(try api.store.use { try $0.save([upload], audit: []) })
            let student = try api.browser(.student, name: "Ann", number: "s1")
            #expect(try await student.get("/me").text.contains("it is not known which badges and phones are yours"))
            for path in ["/my-data", PageRoute.news.path] {
                #expect(try await student.get(path).status == 503, "\(path)")
            }
            #expect(try await student.post("/my-data/erase", ["number": "s1"]).status == 503)
            #expect(try api.store.use { try $0.holdings(of: badge) }.interactions == 1)
        }
    }

    @Test func `A badge that a lecturer uploads under the own number tells nothing, and is not theirs to delete`()
        async throws
    {
        try await TestAPI.withUploads { api in
            let badge = try #require(SubjectIdentity(TestAPI.badgeOfStudent))
            try api.hear(badge, 0...20, sequence: 1)
            let roster = TestAPI.roster("Physics,T1,\(badge),Lea")
            #expect(try await api.physicist().upload("/timetable/upload", files: ["roster": roster]).status == 303)
            let student = try api.browser(.student, name: "Lea", number: "T1")
            let status = try await student.get("/me").text
            #expect(!status.contains(badge.id) && !status.contains("\(PageRoute.news.path)?since="))
            #expect(status.contains("only on a roster that was uploaded here"))
            #expect(try await student.get(PageRoute.news.path).status == 404)
            let data = try await student.get("/my-data").text
            #expect(!data.contains(badge.id) && data.contains("only a roster that was uploaded here gives you"))
            _ = try await student.post("/my-data/erase", ["number": "T1"])
            #expect(try api.store.use { try $0.holdings(of: badge) }.interactions == 1)
            // For attendance the roster counts.
            #expect(try await !student.get("/check-in").text.contains("Your number is on no roster"))
        }
    }

    /// Stores a signature of the student s1, and a correction by somebody.
    private func attend(_ api: TestAPI) throws {
        try api.store.use { store in
            _ = try store.checkIn(CheckIn(lecture: "physics-1", student: "s1", at: morning, room: "Hopper Hall"))
            try store.correct(
                Correction(
                    lecture: "physics-1", student: "s1", at: morning, by: "Lea", reason: "was there", from: .absent,
                    to: .present))
        }
    }

    @Test func `A student without a badge deletes check-ins and corrections`() async throws {
        try await TestAPI.withLectures(roster: "Physics,s1,,Ann Other\n") { api in
            try attend(api)
            let student = try api.browser(.student, name: "Ann", number: "s1")
            let before = try await student.get("/my-data").text
            #expect(before.contains("2 entries") && before.contains("Type your number s1 to confirm"))
            let answer = try await student.post("/my-data/erase", ["number": "s1"])
            #expect(answer.headers["location"] == "/my-data?done=erased")
            #expect(try api.store.use { try $0.holdings(ofNumber: "s1") }.isEmpty)
        }
    }

    @Test func `Attendance that the institution has to keep stays, and the page says so`() async throws {
        try await TestAPI.withLectures(settings: "students-erase = false") { api in
            try attend(api)
            let badge = try #require(SubjectIdentity(TestAPI.badgeOfStudent))
            try api.hear(badge, 0...20, sequence: 1)
            let student = try api.browser(.student, name: "Ann", number: "s1")
            let before = try await student.get("/my-data").text
            #expect(before.contains("because your institution has to keep attendance") && !before.contains("2 entries"))
            let answer = try await student.post("/my-data/erase", ["number": "s1"])
            #expect(answer.headers["location"] == "/my-data?done=erased")
            #expect(try api.store.use { try $0.holdings(ofNumber: "s1") }.attendance == 2)
            #expect(try api.store.use { try $0.holdings(of: badge) }.interactions == 0)
        }
    }

    @Test func `Who has had everything deleted waits for an hour before the next time`() async throws {
        try await TestAPI.withLectures { api in
            let badge = try #require(SubjectIdentity(TestAPI.badgeOfStudent))
            try api.hear(badge, 0...20, sequence: 1)
            let student = try api.browser(.student, name: "Ann", number: "s1")
            #expect(try await student.post("/my-data/erase", ["number": "s1"]).status == 303)
            let again = try await student.post("/my-data/erase", ["number": "s1"])
            #expect(again.status == 422 && again.text.contains("less than an hour ago"))
            api.clock.withLock { $0 += 3601 }
            #expect(try await student.post("/my-data/erase", ["number": "s1"]).status == 303)
        }
    }

    @Test func `Of deletions that are asked for at the same time one is carried out`() async throws {
        try await TestAPI.withLectures { api in
            let badge = try #require(SubjectIdentity(TestAPI.badgeOfStudent))
            try api.hear(badge, 0...20, sequence: 1)
            let student = try api.browser(.student, name: "Ann", number: "s1")
            let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
                for _ in 0..<8 {
                    group.addTask { try await student.post("/my-data/erase", ["number": "s1"]).status }
                }
                return try await group.reduce(into: [Int]()) { $0.append($1) }
            }
            #expect(statuses.count { $0 == 303 } == 1, "\(statuses)")
            #expect(statuses.count { $0 == 422 || $0 == 429 } == 7, "\(statuses)")
            let entries = try api.store.use { try $0.audit(limit: 50).map { $0.entry.action } }
            #expect(entries.count { $0 == .erasedOwnData } == 1)
        }
    }
}
