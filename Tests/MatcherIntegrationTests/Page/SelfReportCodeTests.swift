import InteractionStore
import Matching
import People
import SignIn
import SystemIO
import TestSupport
import Testing

@testable import MatcherCore
@testable import MatcherDaemon

@Suite("Self-report with a code", .timeLimit(.minutes(10))) struct SelfReportCodeTests {
    private func reports(_ api: TestAPI) throws -> [FiledReport] { try api.store.use { try $0.reports(since: 0) } }

    private func waiting(_ api: TestAPI) throws -> [SubmittedResult] {
        try api.store.use { try $0.waitingResults(limit: 10).results }
    }

    @Test(arguments: Backend.installed)
    func `A code files the report of whoever the register has under the name and the number`(
        backend: Backend
    ) async throws {
        try await TestAPI.withSelfReports(backend) { api in
            let (_, ben) = try await api.annNearBen()
            let code = try api.verificationCode()
            let answers = try await api.sendCode(code, name: "  ann   OTHER ", number: "s1", by: api.stranger)
            #expect(answers.details.text.contains("The day of your test is known from the code."))
            #expect(answers.review.text.contains("ann OTHER"))
            // An empty day does not say that there are no symptoms.
            #expect(answers.review.text.contains("<dt>Symptoms since</dt><dd>not given</dd>"))
            #expect(answers.sent.status == 303)
            #expect(answers.sent.headers["location"] == "/self-report/received?with=code")
            let report = try #require(try reports(api).first)
            #expect(report.positive == PositiveCase(reportType: .confirmed, onset: nil, test: TestAPI.testDay))
            try api.match()
            let exposed = try api.store.use { store in
                Set(try store.exposures(ofReport: report.number, limit: 10).map(\.subject))
            }
            #expect(exposed == [ben.identity])
            #expect(try waiting(api).isEmpty)
        }
    }

    @Test func `The audit has that somebody reported by a code, and neither who nor the code`() async throws {
        try await TestAPI.withSelfReports { api in
            _ = try await api.annNearBen()
            let code = try api.verificationCode()
            _ = try await api.sendCode(code, name: "Ann Other", number: "s1", by: api.stranger)
            let entries = try api.store.use { try $0.audit(limit: 10).map { $0.entry } }
            #expect(entries.first?.action == .filedReport && entries.first?.detail == "confirmed, by a code")
            let text = "\(entries)"
            #expect(!text.contains("Ann") && !text.contains("s1") && !text.contains(code))
        }
    }

    @Test func `Whether the register has somebody is not told, and an officer completes what does not match`()
        async throws
    {
        try await TestAPI.withSelfReports { api in
            _ = try await api.annNearBen()
            var answers: Set<String> = []
            for (name, number) in [("Ann Other", "s1"), ("Ann Wrong", "s1"), ("Ann Other", "s9"), ("Ann Other", "")] {
                let sent = try await api.sendCode(
                    api.verificationCode(), name: name, number: number, by: api.stranger
                ).sent
                let last = try await api.stranger.get(try #require(sent.headers["location"]))
                answers.insert("\(sent.status) \(sent.text) \(last.status) \(last.text)")
            }
            #expect(answers.count == 1 && answers.first?.contains("Your result has been received") == true)
            #expect(try reports(api).count == 1)
            let waiting = try waiting(api)
            #expect(waiting.count == 3)
            for result in waiting { #expect(result.proof == .code && result.testDay == TestAPI.testDay) }
        }
    }

    @Test func `A report about which an officer would be asked waits`() async throws {
        try await TestAPI.withSelfReports { api in
            let badge = try #require(SubjectIdentity("badge:e2c56db5-dffb-48d2-b060-d0f5a71096e0/5/6"))
            let people = [
                Person(number: "s1", name: "Ann Other", subjects: [badge]), Person(number: "s2", name: "Ben"),
            ]
            _ = try api.store.use { try $0.importPeople(people, keepsOthers: false, isTrial: false) }
            // Nobody ever received the badge of one, and the other has none.
            for person in people {
                let code = try api.verificationCode()
                _ = try await api.sendCode(code, name: person.name, number: person.number, by: api.stranger)
            }
            #expect(try reports(api).isEmpty && waiting(api).count == 2)
        }
    }

    @Test func `Pressing the button twice reports once`() async throws {
        try await TestAPI.withSelfReports { api in
            _ = try await api.annNearBen()
            let answers = try await api.sendCode(
                api.verificationCode(), name: "Ann Other", number: "s1", by: api.stranger)
            let reporter = answers.reporter
            let again = try await reporter.post("/self-report/send", TestAPI.hidden(in: answers.review.text))
            #expect(again.headers["location"] == answers.sent.headers["location"])
            #expect(try reports(api).count == 1)
        }
    }

    @Test func `Wrong, used and expired codes get the same answer, and what was typed is kept`() async throws {
        try await TestAPI.withSelfReports { api in
            _ = try await api.annNearBen()
            let (used, expired) = (try api.verificationCode(), try api.verificationCode(validity: 900))
            _ = try await api.sendCode(used, name: "Ann Other", number: "s1", by: api.stranger)
            api.clock.withLock { $0 += 900 }
            for code in [used, expired, "0000 0000"] {
                let answers = try await api.sendCode(code, name: "Cy Typed", number: "s7", by: api.stranger)
                let sent = answers.sent
                #expect(sent.status == 403 && sent.text.contains("This code is not valid"), "\(sent.text)")
                #expect(sent.text.contains("Step 2 of 4") && sent.text.contains("value=\"\(code)\""))
                let form = try answers.reporter.form()
                #expect(form.name == "Cy Typed" && form.number == "s7")
                let reporter = answers.reporter
                #expect(sent.text.contains("The code is checked when you send the report"))
                let again = try await reporter.post("/self-report/code", ["code": "1111 2222"])
                #expect(again.text.contains("Step 3 of 4") && again.text.contains("value=\"Cy Typed\""))
            }
        }
    }

    @Test func `Codes on the page and codes of apps share the limit on wrong ones`() async throws {
        try await TestAPI.withSelfReports { api in
            let (ann, _) = try await api.annNearBen()
            for _ in 1..<CodeTries.perAddress {
                let sent = try await api.sendCode("0000 0000", name: "Ann", number: "s1", by: api.stranger).sent
                #expect(sent.status == 403)
            }
            #expect(try await api.exchange("0000 0000", for: [ann.identity]).status == 403)
            let code = try api.verificationCode(isLong: true)
            let paused = try await api.sendCode(code, name: "Ann Other", number: "s1", by: api.stranger).sent
            #expect(paused.status == 429 && paused.text.contains("Try again in 60 minutes"), "\(paused.text)")
            #expect(try await api.exchange(code, for: [ann.identity]).status == 429)
            api.clock.withLock { $0 += CodeTries.period }
            let sent = try await api.sendCode(code, name: "Ann Other", number: "s1", by: api.stranger).sent
            #expect(sent.status == 303)
        }
    }

    @Test(arguments: ["", "12345", "0000 0000 0", "abcdefgh"])
    func `What has the form of no code is refused before anything is asked`(code: String) async throws {
        try await TestAPI.withSelfReports { api in
            let reporter = TestAPI.Reporter(api.stranger)
            let answer = try await reporter.post("/self-report/code", ["code": code])
            #expect(answer.status == 422 && answer.text.contains("id=\"code-mistake\""))
        }
    }

    @Test func `Mistakes in the details are marked, and nothing typed is lost`() async throws {
        try await TestAPI.withSelfReports { api in
            let reporter = TestAPI.Reporter(api.stranger)
            _ = try await reporter.post("/self-report/code", ["code": "1234 5678"])
            var fields = ["name": " . "]
            fields["number"] = String(repeating: "9", count: 65)
            fields["onset"] = "2026-12-24"
            fields["contact"] = "ann@campus.example"
            let answer = try await reporter.post("/self-report/details", fields)
            #expect(answer.status == 422)
            for part in [
                "id=\"name-mistake\"", "id=\"number-mistake\"", "id=\"onset-mistake\">2026-12-24 is in the future",
                "value=\"ann@campus.example\"", "value=\"2026-12-24\"",
            ] { #expect(answer.text.contains(part), "\(part)") }
            #expect(try reporter.form().code == "1234 5678")
        }
    }

    @Test func `A student who is signed in types no name and no number`() async throws {
        try await TestAPI.withSelfReports { api in
            _ = try await api.annNearBen()
            let student = TestAPI.Reporter(try api.browser(.student, name: "Account of Ann", number: "s1"))
            let details = try await student.post("/self-report/code", ["code": api.verificationCode()])
            #expect(details.text.contains("You report as Ann Other (s1)."))
            #expect(!details.text.contains("name=\"number\""))
            // What somebody else's form says does not count.
            _ = try await student.post("/self-report/details", ["name": "Ben Near", "number": "s2"])
            let sent = try await student.send()
            #expect(sent.status == 303)
            let report = try #require(try reports(api).first)
            let people = try api.store.use { try $0.people(of: Set(report.subjects.map(\.identity))) }
            #expect(Set(people.values.map(\.number)) == ["s1"])
        }
    }

    @Test func `A self-report of another site is refused`() async throws {
        try await TestAPI.withSelfReports { api in
            for path in ["code", "picture", "details", "send"] {
                let answer = try await api.stranger.post("/self-report/\(path)", origin: "https://evil.example")
                #expect(answer.status == 403 && answer.text.contains("another site"), "\(path)")
            }
        }
    }

    @Test func `A step without the steps before it leads back to them`() async throws {
        try await TestAPI.withSelfReports { api in
            for path in ["details", "send"] {
                let nothing = try await api.stranger.post("/self-report/\(path)", ["name": "Ann", "proof": "code"])
                #expect(nothing.headers["location"] == "/self-report?done=self-report-gone")
                let page = try await api.stranger.get("/self-report?done=self-report-gone").text
                #expect(page.contains("What you typed is not there any more"))
            }
            for step in ["details", "review"] {
                let nothing = try await api.stranger.get("/self-report?step=\(step)")
                #expect(nothing.headers["location"] == "/self-report?done=self-report-gone")
            }
            let reporter = TestAPI.Reporter(api.stranger)
            _ = try await reporter.post("/self-report/code", ["code": "1234 5678"])
            let early = try await reporter.get("/self-report?step=review")
            #expect(early.status == 422 && early.text.contains("Step 3 of 4"))
        }
    }

    @Test func `A cookie that cannot be opened leads to the first step, which says so`() async throws {
        try await TestAPI.withSelfReports { api in
            var browser = api.stranger
            browser.cookie = "beacon-self-report=" + String(repeating: "A", count: 100)
            for step in ["details", "review"] {
                let answer = try await browser.get("/self-report?step=\(step)")
                #expect(answer.headers["location"] == "/self-report?done=self-report-gone")
            }
            for path in ["details", "send"] {
                let answer = try await browser.post("/self-report/\(path)", ["name": "Ann"])
                #expect(answer.headers["location"] == "/self-report?done=self-report-gone")
            }
        }
    }

    @Test func `Each step is a page to which a browser can go back, with what was typed`() async throws {
        try await TestAPI.withSelfReports { api in
            let code = try api.verificationCode()
            let forms = [("code", ["code": code]), ("details", ["name": "Ann Other", "number": "s1"])]
            let reporter = TestAPI.Reporter(api.stranger)
            for (path, fields) in forms {
                let answer = try await reporter.browser.post("/self-report/\(path)", fields)
                #expect(answer.status == 303 && answer.headers["location"]?.contains(code) == false)
                _ = try await reporter.post("/self-report/\(path)", fields)
            }
            #expect(try await reporter.get("/self-report?step=review").text.contains("<dd>Ann Other</dd>"))
            #expect(try await reporter.get("/self-report?step=details").text.contains("value=\"Ann Other\""))
            #expect(try await reporter.get("/self-report?with=code").text.contains("value=\"\(code)\""))
            _ = try await reporter.get("/self-report?step=review")
            let received = try await reporter.send().headers["location"]
            #expect(received == "/self-report/received?with=code")
            for step in ["details", "review"] {
                #expect(try await reporter.get("/self-report?step=\(step)").headers["location"] == received)
            }
            #expect(try reporter.kept() == .sent(.code))
            #expect(try await !reporter.get("/self-report?with=code").text.contains(code))
        }
    }

    @Test func `What is sent is what was shown last`() async throws {
        try await TestAPI.withSelfReports { api in
            let reporter = TestAPI.Reporter(api.stranger)
            _ = try await reporter.post("/self-report/code", ["code": api.verificationCode()])
            _ = try await reporter.post("/self-report/details", ["name": "Ann Other"])
            let shown = TestAPI.hidden(in: reporter.page)
            // In another tab of the same browser.
            _ = try await reporter.post("/self-report/details", ["name": "Ben Near"])
            let answer = try await reporter.post("/self-report/send", shown)
            #expect(answer.status == 409 && answer.text.contains("Something was changed"))
            #expect(try waiting(api).isEmpty && answer.text.contains("<dd>Ben Near</dd>"))
            #expect(try await reporter.send().status == 303)
            #expect(try waiting(api).map(\.sender.name) == ["Ben Near"])
        }
    }

    @Test func `What was typed is deleted at the press of a button`() async throws {
        try await TestAPI.withSelfReports { api in
            let reporter = TestAPI.Reporter(api.stranger)
            _ = try await reporter.post("/self-report/code", ["code": "1234 5678"])
            let deleted = try await reporter.post("/self-report/details", ["delete": "yes", "name": "Ann"])
            #expect(deleted.headers["location"] == "/self-report?done=self-report-deleted")
            #expect(reporter.sealed == nil)
        }
    }
}
