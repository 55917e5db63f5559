import InteractionStore
import Matching
import People
import SignIn
import SystemIO
import Testing

@testable import MatcherCore
@testable import MatcherDaemon

@Suite("A person's own data at the page", .timeLimit(.minutes(10))) struct MyDataScreenTests {
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
}
