import InteractionStore
import SignIn
import SystemIO
import TestSupport
import Testing

@testable import MatcherCore
@testable import MatcherDaemon

@Suite("Verification codes at the officer's page", .timeLimit(.minutes(10))) struct CodesScreenTests {
    private static let form = [
        "test": "2026-11-01", "form": "short", "minutes": "45", "count": "2", "once": "AAAAAAAAAAAAAAAAAAAAAA",
    ]

    private func with<Value>(
        isolation: isolated (any Actor)? = #isolation, _ body: (TestAPI) async throws -> Value
    ) async throws -> Value {
        try await TestAPI.with(configuration: TestAPI.pageConfiguration, body)
    }

    /// Returns the codes on a page.
    private func codes(_ html: String) -> [String] {
        html.ranges(of: "<li class=\"code\">").map { String(html[$0.upperBound...].prefix { $0 != "<" }) }
    }

    @Test(arguments: ["short", "long"])
    func `Codes are shown once, work, and are in no entry of the audit`(kind: String) async throws {
        try await with { api in
            let officer = try api.browser(.officer)
            let answer = try await officer.post("/codes/issue", Self.form.merging(["form": kind]) { _, new in new })
            #expect(answer.status == 200 && answer.headers["cache-control"] == "no-store")
            let issued = codes(answer.text)
            #expect(issued.count == 2)
            #expect(issued.compactMap { VerificationCode($0)?.form.rawValue } == [kind, kind])
            let until = kind == "short" ? "Mon 2026-11-02 12:45" : "Tue 2026-11-03 12:00"
            #expect(answer.text.contains("Valid until \(until) UTC, for a test of Sun 2026-11-01."))
            #expect(try await !officer.get("/codes").text.contains("class=\"code\""))
            let entries = try api.store.use { try $0.audit(limit: 10).map { $0.entry } }
            #expect(entries.first?.action == .issuedCodes && entries.first?.name == "Olga Officer")
            for code in issued { #expect(!"\(entries)".contains(code)) }
            let phone = try await api.newPhone()
            #expect(try await api.exchange(try #require(issued.first), for: [phone.identity]).status == 200)
        }
    }

    @Test func `A page that is reloaded issues no codes, and the form on it issues new ones`() async throws {
        try await with { api in
            let officer = try api.browser(.officer)
            let form = Self.form.merging(TestAPI.hidden(in: try await officer.get("/codes").text)) { $1 }
            let first = try await officer.post("/codes/issue", form)
            #expect(codes(first.text).count == 2)
            let again = try await officer.post("/codes/issue", form)
            #expect(again.status == 422 && codes(again.text).isEmpty)
            #expect(again.text.contains("These codes were shown before and cannot be shown again. Issue new ones."))
            let now = api.clock.withLock { $0 }
            #expect(try api.store.use { try $0.openCodes(now: now).short } == 2)
            let next = Self.form.merging(TestAPI.hidden(in: again.text)) { $1 }
            #expect(try await codes(officer.post("/codes/issue", next).text).count == 2)
            let (name, audit) = (try #require(form["once"]), try await api.browser(.auditor).get("/audit").text)
            #expect(audit.contains("issued codes") && !audit.contains(name))
        }
    }

    @Test func `A form without its name issues no codes`() async throws {
        try await with { api in
            let answer = try await api.browser(.officer).post("/codes/issue", Self.form.merging(["once": ""]) { $1 })
            #expect(answer.status == 422 && answer.text.contains("The form was not complete."))
        }
    }

    @Test(arguments: [
        ("test", ""), ("test", "2026-12-24"), ("test", "2026-02-30"), ("onset", "yesterday"), ("onset", "2026-12-24"),
        ("minutes", "14"), ("minutes", "61"), ("minutes", "-"), ("count", "0"), ("count", "21"), ("count", "1e1"),
    ])
    func `A mistake is marked, and no code is issued`(field: String, value: String) async throws {
        try await with { api in
            let officer = try api.browser(.officer)
            let answer = try await officer.post("/codes/issue", Self.form.merging([field: value]) { _, new in new })
            #expect(answer.status == 422 && answer.text.contains("id=\"\(field)-mistake\""), "\(answer.text)")
            #expect(codes(answer.text).isEmpty)
            let open = try api.store.use { try $0.openCodes(now: 0) }
            #expect(open.short == 0 && open.long == 0)
        }
    }

    @Test func `When too many codes are open, the page says so`() async throws {
        try await with { api in
            let now = api.clock.withLock { $0 }
            let officer = Account(issuer: "i", subject: "s", name: "Olga", roles: [.officer])
            let codes = (0..<InteractionStore.mostCodes).map { number in
                IssuedCode(
                    hash: "h\(number)", isLong: false, test: 20_758, onset: nil, issued: now, expires: now + 900,
                    issuer: "Olga")
            }
            let entry = AuditEntry(at: now, account: officer, action: .issuedCodes)
            let stored = try api.store.use { try $0.issue(codes: codes, audit: entry, now: now)?.count }
            #expect(stored == InteractionStore.mostCodes)
            let answer = try await api.browser(.officer).post("/codes/issue", Self.form)
            #expect(answer.status == 422 && answer.text.contains("10000 verification codes are open"))
        }
    }
}
