import InteractionStore
import Pages
import SignIn
import TestSupport
import Testing

@testable import MatcherCore
@testable import MatcherDaemon

@Suite("Enrolment of phones on the page", .timeLimit(.minutes(10))) struct EnrolmentScreenTests {
    private static let label = "Physics <b>"
    private static let code = "CODE-OF-THE-TEST"
    private static let sure = ["label": label, "sure": "yes", "seen": "1 3 \(morning + 86_400)"]

    /// Runs `body` with a code for three phones, of which one has enrolled.
    private func with(
        isolation: isolated (any Actor)? = #isolation, _ body: (TestAPI) async throws -> Void
    ) async throws {
        try await TestAPI.with(configuration: TestAPI.pageConfiguration) { api in
            try api.store.use { store in
                try store.issue(
                    codes: [Self.code], label: Self.label, uses: 3, expires: morning + 86_400, now: morning)
                _ = try store.enrol(code: Self.code, now: morning)
            }
            try await body(api)
        }
    }

    private func labels(_ api: TestAPI) throws -> [String] { try api.store.use { try $0.enrolments().map(\.label) } }

    @Test("Operators see labels with their uses and the local time, and no codes") func list() async throws {
        try await with { api in
            let browser = try api.browser(.operator)
            #expect(try await browser.get("/gateways").text.contains("href=\"/enrolment\""))
            let page = try await browser.get("/enrolment")
            #expect(page.status == 200)
            for text in [
                "<th scope=\"row\">Physics &lt;b&gt;</th>", "<span class=\"tag good\">open</span>",
                "class=\"number\">3</td>", "class=\"number\">1</td>", "Tue 2026-11-03 08:00",
            ] {
                #expect(page.text.contains(text), "\(text)")
            }
            #expect(!page.text.contains(Self.code))
            #expect(try await api.browser(.officer).get("/enrolment").status == 403)
        }
    }

    @Test("Codes are revoked after a question, and the audit has their label") func revoke() async throws {
        try await with { api in
            let browser = try api.browser(.operator)
            let question = try await browser.post("/enrolment/revoke", ["label": Self.label])
            #expect(question.status == 200)
            #expect(question.text.contains("Phones that have enrolled stay enrolled: 1."))
            #expect(question.text.contains("name=\"seen\" value=\"1 3 \(morning + 86_400)\""))
            #expect(try labels(api) == [Self.label])
            let answer = try await browser.post("/enrolment/revoke", Self.sure)
            #expect(answer.status == 303 && answer.headers["location"] == "/enrolment?done=enrolment-revoked")
            #expect(try labels(api).isEmpty)
            let entry = try #require(try api.store.use { try $0.audit(limit: 10) }.first?.entry)
            #expect(entry.action == .revokedEnrolment && entry.object == Self.label && entry.name == "Olga Officer")
            #expect(entry.detail == "1 code")
        }
    }

    @Test("Codes that were issued after the question are not revoked unseen") func unseen() async throws {
        try await with { api in
            try api.store.use { store in
                try store.issue(
                    codes: ["LATER"], label: Self.label, uses: 2, expires: morning + 86_400, now: morning)
            }
            let browser = try api.browser(.operator)
            let answer = try await browser.post("/enrolment/revoke", Self.sure)
            #expect(answer.status == 409 && answer.text.contains("You have changed nothing."))
            let seen = "2 5 \(morning + 86_400)"
            #expect(answer.text.contains("name=\"seen\" value=\"\(seen)\""))
            #expect(try await browser.post("/enrolment/revoke", ["label": Self.label, "sure": "yes"]).status == 409)
            #expect(try api.store.use { try $0.enrolments().map(\.codes) } == [2])
            #expect(try api.store.use { try $0.audit(limit: 10).isEmpty })
            let again = try await browser.post("/enrolment/revoke", Self.sure.merging(["seen": seen]) { $1 })
            #expect(again.status == 303)
            #expect(try labels(api).isEmpty)
        }
    }

    @Test("Phones that enrol after the question do not stop it") func busy() async throws {
        try await with { api in
            _ = try api.store.use { try $0.enrol(code: Self.code, now: morning) }
            #expect(try await api.browser(.operator).post("/enrolment/revoke", Self.sure).status == 303)
        }
    }

    @Test("Every label is on one of the pages, and each of them is small") func parts() async throws {
        try await with { api in
            let labels = (1000..<1120).map { "\($0)" + String(repeating: "x", count: 60) }
            try api.store.use { store in
                for (number, label) in labels.enumerated() {
                    try store.issue(
                        codes: [label], label: label, uses: 1, expires: morning + 90_000 + Int64(number), now: morning)
                }
            }
            let browser = try api.browser(.operator)
            var text = ""
            for from in [0, 50, 100] {
                let page = try await browser.get("/enrolment?from=\(from)")
                #expect(page.status == 200 && page.body.count < 60_000, "\(page.body.count)")
                #expect(page.text.contains("href=\"/enrolment?from=\(from + 50)\"") == (from < 100))
                text += page.text
            }
            #expect(text.contains("Labels 101 to 121 of 121."))
            for label in labels {
                #expect(text.ranges(of: "name=\"label\" value=\"\(label)\"").count == 1, "\(label)")
            }
        }
    }

    @Test("Of two operators who revoke at once, the second sees who was first") func conflict() async throws {
        try await with { api in
            #expect(
                try await api.browser(.operator, name: "Otto First").post("/enrolment/revoke", Self.sure).status == 303)
            let late = try await api.browser(.operator, name: "Olga Second").post("/enrolment/revoke", Self.sure)
            #expect(late.status == 409)
            #expect(
                late.text.contains("They were revoked Mon 2026-11-02 12:00 by Otto First. You have changed nothing."))
            #expect(try api.store.use { try $0.audit(limit: 10).count } == 1)
        }
    }

    @Test("Only operators revoke codes, and only with the token of their form") func refused() async throws {
        try await with { api in
            #expect(try await api.browser(.officer).post("/enrolment/revoke", Self.sure).status == 403)
            let browser = try api.browser(.operator)
            let forged = try await browser.post("/enrolment/revoke", Self.sure.merging(["token": "x"]) { $1 })
            #expect(forged.status == 403)
            #expect(try labels(api) == [Self.label])
        }
    }
}
