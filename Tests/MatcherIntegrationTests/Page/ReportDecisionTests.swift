import InteractionStore
import Matching
import Pages
import People
import SignIn
import SystemIO
import TestSupport
import Testing

@testable import MatcherCore
@testable import MatcherDaemon

@Suite("Decisions of officers about reports", .timeLimit(.minutes(10))) struct ReportDecisionTests {
    /// Runs `body` with the reference of a report that waits, and with somebody who was near its reporter.
    private func with(
        isolation: isolated (any Actor)? = #isolation,
        _ body: (TestAPI, String, SubjectIdentity) async throws -> Void
    ) async throws {
        try await TestAPI.with(configuration: TestAPI.pageConfiguration) { api in
            let (ann, ben) = (try await api.newPhone(), try await api.newPhone())
            try api.hear(ann.identity, 0...20, sequence: 1)
            try api.hear(ben.identity, 0...20, sequence: 2)
            let test = #","test":{"date":"2026-11-01","result":"positive"}"#
            #expect(try await api.post("/v1/reports", api.reportBody(ann, more: test)).status == 201)
            let waiting = try api.store.use { try $0.reportList(waiting: true, before: nil, limit: 2) }
            try await body(api, try #require(waiting.first).report.reference, ben.identity)
        }
    }

    private func exposures(_ subject: SubjectIdentity, _ api: TestAPI) throws -> Int {
        try api.store.use { try $0.exposures(of: subject).count }
    }

    /// The decisions in the audit, the latest first.
    private func decisions(_ api: TestAPI) throws -> [String] {
        let kinds: Set<AuditEntry.Action> = [.confirmedReport, .refusedReport, .withdrewReport]
        return try api.store.use { try $0.audit(limit: 50).map { $0.entry } }
            .filter { kinds.contains($0.action) }.map { "\($0.name) \($0.action.rawValue) \($0.detail)" }
    }

    @Test func `A confirmed report has its exposures on the next page`() async throws {
        try await with { api, reference, ben in
            let officer = try api.browser(.officer)
            #expect(try exposures(ben, api) == 0)
            let answer = try await officer.post("/reports/\(reference)/confirm")
            #expect(answer.status == 303, "\(answer.text)")
            #expect(answer.headers["location"] == "/reports/\(reference)?done=confirmed")
            #expect(try exposures(ben, api) == 1)
            let page = try await officer.get("/reports/\(reference)").text
            #expect(page.contains("Confirmed by Olga Officer") && page.contains("1 person"))
            #expect(!page.contains("Confirm report") && page.contains("Withdraw report"))
            #expect(try decisions(api) == ["Olga Officer confirmed report "])
        }
    }

    @Test func `A report that nobody has matched is no all-clear`() async throws {
        try await TestAPI.with(selfReported: 1, configuration: TestAPI.pageConfiguration) { api in
            let ann = try await api.newPhone()
            try api.hear(ann.identity, 0...20, sequence: 1)
            let test = #","test":{"date":"2026-11-01","result":"positive"}"#
            #expect(try await api.post("/v1/reports", api.reportBody(ann, more: test)).status == 201)
            let stored = try api.store.use { try $0.reportList(waiting: true, before: nil, limit: 2) }
            let path = ReportRows.path(try #require(stored.first).report.reference)
            let officer = try api.browser(.officer)
            let unmatched = try await officer.get(path).text
            #expect(unmatched.contains("Not matched yet: who was exposed by this report is not known. Reports are"))
            #expect(!unmatched.contains("No exposures by this report are known"))
            let lists = [PageRoute.exposures.path, PageRoute.overview.path]
            for list in lists {
                #expect(try await officer.get(list).text.contains("1 report is not matched yet, so more"), "\(list)")
            }
            let phone = try await api.newPhone()
            let ben = Person(number: "s2", name: "Ben", subjects: [phone.identity])
            _ = try api.store.use { try $0.importPeople([ben], keepsOthers: false, isTrial: false) }
            let student = try api.browser(.student, name: "Ben", number: "s2")
            let doubt = "New reports of positive tests are not compared"
            #expect(try await student.get("/me").text.contains(doubt))
            try api.match()
            #expect(try await !student.get("/me").text.contains(doubt))
            #expect(try await officer.get(path).text.contains("No exposures by this report are known."))
            for list in lists { #expect(try await !officer.get(list).text.contains("not matched yet"), "\(list)") }
        }
    }

    @Test func `A second officer is told who decided, and changes nothing`() async throws {
        try await with { api, reference, ben in
            let (first, second) = (try api.browser(.officer), try api.browser(.officer, name: "Omar Officer"))
            #expect(try await first.post("/reports/\(reference)/confirm").status == 303)
            for verb in ["confirm", "refuse"] {
                let answer = try await second.post("/reports/\(reference)/\(verb)", ["reason": "another person"])
                #expect(answer.status == 409, "\(verb) \(answer.text)")
                #expect(answer.text.contains("This report was decided before. Confirmed by Olga Officer at "))
                #expect(answer.text.contains("Nothing was changed."))
            }
            #expect(try exposures(ben, api) == 1)
            #expect(try decisions(api) == ["Olga Officer confirmed report "])
        }
    }

    @Test func `Whoever confirms a report that was refused reads why, and nobody is exposed`() async throws {
        try await with { api, reference, ben in
            let (first, second) = (try api.browser(.officer), try api.browser(.officer, name: "Omar Officer"))
            let refusal = try await first.post("/reports/\(reference)/refuse", ["reason": " another person "])
            #expect(refusal.status == 303 && refusal.headers["location"] == "/reports?done=refused")
            let answer = try await second.post("/reports/\(reference)/confirm")
            #expect(answer.status == 409, "\(answer.text)")
            for part in ["Report deleted", "Refused by Olga Officer at ", "because: another person."] {
                #expect(answer.text.contains(part), "\(part)")
            }
            let page = try await second.get("/reports/\(reference)")
            #expect(page.status == 404 && page.text.contains("because: another person."))
            #expect(try exposures(ben, api) == 0)
            #expect(try decisions(api) == ["Olga Officer refused report another person"])
        }
    }

    @Test func `A report that was confirmed can be withdrawn once, and its exposures go`() async throws {
        try await with { api, reference, ben in
            let (first, second) = (try api.browser(.officer), try api.browser(.officer, name: "Omar Officer"))
            #expect(try await first.post("/reports/\(reference)/confirm").status == 303)
            let answer = try await second.post("/reports/\(reference)/withdraw", ["reason": "wrong sample"])
            #expect(answer.status == 303 && answer.headers["location"] == "/reports?done=withdrawn")
            #expect(try exposures(ben, api) == 0)
            let again = try await first.post("/reports/\(reference)/withdraw", ["reason": "mine"])
            #expect(again.status == 409 && again.text.contains("Withdrawn by Omar Officer"), "\(again.text)")
            #expect(
                try decisions(api) == [
                    "Omar Officer withdrew report wrong sample", "Olga Officer confirmed report ",
                ])
        }
    }

    @Test(arguments: ["refuse", "withdraw"])
    func `Without a reason nothing is decided`(verb: String) async throws {
        try await with { api, reference, _ in
            let officer = try api.browser(.officer)
            for fields in [[:], ["reason": ""], ["reason": " \t\u{A0}"]] as [[String: String]] {
                let answer = try await officer.post("/reports/\(reference)/\(verb)", fields)
                #expect(answer.status == 422, "\(answer.text)")
                #expect(answer.text.contains("Nothing was decided yet: a reason is missing."))
                // The form for a refusal is the one that a waiting report has.
                #expect(answer.text.contains("aria-invalid=\"true\"") && answer.text.contains("Write why."))
            }
            let waiting = try api.store.use { try $0.waitingReportCount() }
            #expect(waiting == 1)
            #expect(try decisions(api).isEmpty)
        }
    }

    @Test func `A report that is not there cannot be decided`() async throws {
        try await with { api, _, _ in
            let officer = try api.browser(.officer)
            for verb in ["confirm", "refuse", "withdraw"] {
                let answer = try await officer.post("/reports/unknown/\(verb)", ["reason": "another person"])
                #expect(answer.status == 404, "\(verb) \(answer.text)")
            }
            #expect(try decisions(api).isEmpty)
        }
    }

    @Test func `What was decided at the command line is known to officers, and a form of before decides nothing`()
        async throws
    {
        try await with { api, reference, ben in
            let officer = try api.browser(.officer)
            #expect(try await officer.get("/reports/\(reference)").text.contains("Refuse report"))
            try api.decide(.confirmed, reference, by: "command line, root")
            let stale = try await officer.post("/reports/\(reference)/refuse", ["reason": "another person"])
            #expect(stale.status == 409, "\(stale.text)")
            #expect(stale.text.contains("Confirmed by command line, root at "))
            #expect(try api.store.use { try $0.storedReport(reference) } != nil)
            try api.match()
            #expect(try exposures(ben, api) == 1)
            try api.decide(.withdrawn, reference, by: "command line, root")
            let gone = try await officer.get("/reports/\(reference)")
            #expect(gone.status == 404 && gone.text.contains("Withdrawn by command line, root at "))
            #expect(try await officer.get("/reports?state=all").text.contains("command line, root"))
        }
    }

    @Test func `A confirmed report in which nothing waits is not refused`() async throws {
        try await TestAPI.with(configuration: TestAPI.pageConfiguration) { api in
            let reference = try await api.exposeBen()
            let officer = try api.browser(.officer)
            let answer = try await officer.post("/reports/\(reference)/refuse", ["reason": "another person"])
            #expect(answer.status == 409 && answer.text.contains("Nothing in this report waits for a decision."))
            #expect(try api.reports() == 1)
        }
    }
}
