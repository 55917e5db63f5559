import InteractionStore
import Matching
import SignIn
import SystemIO
import Testing

@testable import MatcherCore
@testable import MatcherDaemon

@Suite("Reports that officers file", .timeLimit(.minutes(10))) struct NewReportTests {
    private static let form = [
        "person": "phone:of-the-test", "test": "2026-11-02", "onset": "", "confirmation": "confirmed", "agreed": "yes",
    ]

    @Test func `A form that is sent twice files one report`() async throws {
        try await TestAPI.with(configuration: TestAPI.pageConfiguration) { api in
            let officer = try api.browser(.officer)
            let first = try await officer.post("/file-report", Self.form)
            #expect(first.status == 303, "\(first.text)")
            let again = try await officer.post("/file-report", Self.form)
            #expect(again.headers["location"] == first.headers["location"])
            #expect(try api.reports() == 1)
            let entries = try api.store.use { try $0.audit(limit: 50).map { $0.entry.action } }
            #expect(entries.count { $0 == .filedReport } == 1)
        }
    }

    @Test func `Who has a report of the same days is named, and has another one only if the officer agrees`()
        async throws
    {
        try await TestAPI.with(configuration: TestAPI.pageConfiguration) { api in
            let officer = try api.browser(.officer)
            let subject = try #require(SubjectIdentity("phone:of-the-test"))
            try api.hear(subject, 0...20, sequence: 1)
            var form = Self.form
            form["agreed"] = nil
            for _ in 0..<2 { #expect(try await officer.post("/file-report", form).status == 303) }
            form["test"] = "2026-11-01"
            let doubted = try await officer.post("/file-report", form)
            #expect(doubted.status == 422)
            let received = "received Mon 2026-11-02 12:00"
            #expect(
                doubted.text.contains(
                    "phone:of-the-test has a report already, \(received), with the day of the test 2026-11-02."),
                "\(doubted.text)")
            #expect(try api.reports() == 1)
            form["agreed"] = "yes"
            #expect(try await officer.post("/file-report", form).status == 303)
            #expect(try api.reports() == 2)
        }
    }

    @Test func `Whoever is not found is told how a badge is written, and the example is one`() async throws {
        try await TestAPI.with(configuration: TestAPI.pageConfiguration) { api in
            let answer = try await api.browser(.officer).post(
                "/file-report", Self.form.merging(["person": "Nobody Known"]) { $1 })
            #expect(answer.text.contains("A badge is written like \(SubjectIdentity.example),"), "\(answer.text)")
            #expect(SubjectIdentity(SubjectIdentity.example)?.description == SubjectIdentity.example)
        }
    }

    @Test func `A report without any day is filed only if the officer agrees`() async throws {
        try await TestAPI.with(configuration: TestAPI.pageConfiguration) { api in
            let officer = try api.browser(.officer)
            let subject = try #require(SubjectIdentity("phone:of-the-test"))
            try api.hear(subject, 0...20, sequence: 1)
            var form = Self.form
            (form["test"], form["agreed"]) = ("", nil)
            let doubted = try await officer.post("/file-report", form)
            #expect(doubted.status == 422)
            let days = api.policy.risk.days
            #expect(
                doubted.text.contains(
                    "Without a day of the test or of the first symptoms, contacts of the last \(days) days count."),
                "\(doubted.text)")
            #expect(try api.reports() == 0)
            let onset = try await officer.post("/file-report", form.merging(["onset": "2026-11-01"]) { $1 })
            #expect(onset.status == 303, "\(onset.text)")
            form["agreed"] = "yes"
            #expect(try await officer.post("/file-report", form).status == 303)
            #expect(try api.reports() == 2)
        }
    }

    @Test func `Another report of the same person is filed, and so is the same one later`() async throws {
        try await TestAPI.with(configuration: TestAPI.pageConfiguration) { api in
            let officer = try api.browser(.officer)
            _ = try await officer.post("/file-report", Self.form)
            let other = Self.form.merging(["test": "2026-11-01"]) { $1 }
            #expect(try await officer.post("/file-report", other).status == 303)
            #expect(try api.reports() == 2)
            api.clock.withLock { $0 += 61 }
            #expect(try await officer.post("/file-report", Self.form).status == 303)
            #expect(try api.reports() == 3)
        }
    }
}
