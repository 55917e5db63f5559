import InteractionStore
import Matching
import People
import SignIn
import SystemIO
import TestSupport
import Testing

@testable import MatcherCore
@testable import MatcherDaemon

@Suite("Results that people sent in, at the officer's page", .timeLimit(.minutes(10))) struct ResultScreenTests {
    private func entries(_ api: TestAPI) throws -> [AuditEntry] {
        try api.store.use { try $0.audit(limit: 20).map { $0.entry } }
    }

    @Test func `A result is on top of the reports, and counted on the first page`() async throws {
        try await TestAPI.withSelfReports { api in
            let officer = try api.browser(.officer)
            #expect(try await !officer.get("/reports").text.contains("Results sent in"))
            let reference = try await api.sendPicture()
            let list = try await officer.get("/reports").text
            for part in ["Results sent in", "href=\"/results/\(reference)\"", "Ann Other, s1", "Sun 2026-11-01"] {
                #expect(list.contains(part), "\(part)")
            }
            #expect(try await officer.get("/overview").text.contains("href=\"/reports#sent-in\">1 result sent in</a>"))
        }
    }

    @Test func `The page has the picture, what was typed, and who can be meant`() async throws {
        try await TestAPI.withSelfReports { api in
            _ = try await api.annNearBen()
            let reference = try await api.sendPicture()
            let officer = try api.browser(.officer)
            let page = try await officer.get("/results/\(reference)").text
            for part in [
                "src=\"/results/\(reference)/picture\"", "<dt>Name</dt><dd>Ann Other</dd>",
                "name=\"choice\" value=\"s1\">", "name=\"test\" value=\"2026-11-01\"",
                "No program has read the picture",
            ] { #expect(page.contains(part), "\(part)") }
            #expect(!page.contains("value=\"s2\"") && !page.contains("checked"))
            #expect(try entries(api).first?.action == .sawResult)
        }
    }

    @Test func `The officer has to choose whose picture it is, and whom a code fits is chosen`() async throws {
        try await TestAPI.withSelfReports { api in
            let people = [Person(number: "s1", name: "Ann Other")]
            _ = try api.store.use { try $0.importPeople(people, keepsOthers: false, isTrial: false) }
            let officer = try api.browser(.officer)
            let picture = try await api.sendPicture()
            let nobody = try await officer.post("/results/\(picture)/file", ["test": "2026-11-01"])
            #expect(nobody.status == 422 && nobody.text.contains("Choose the person, or type a name or a number."))
            #expect(!nobody.text.contains("checked"))
            // Ann has no badge, so that the result waits.
            _ = try await api.sendCode(api.verificationCode(), name: "Ann Other", number: "s1", by: api.stranger)
            let waiting = try api.store.use { try $0.waitingResults(limit: 2).results }
            let code = try #require(waiting.first { $0.picture == nil }).reference
            let page = try await officer.get("/results/\(code)").text
            #expect(page.contains("name=\"choice\" value=\"s1\" checked"))
        }
    }

    @Test func `The picture is for officers, does nothing, and is kept by no browser`() async throws {
        try await TestAPI.withSelfReports { api in
            let path = "/results/\(try await api.sendPicture())/picture"
            let picture = try await api.browser(.officer).get(path)
            #expect(picture.status == 200 && picture.body == TestAPI.smallPicture)
            #expect(picture.headers["content-type"] == "image/png")
            #expect(picture.headers["x-content-type-options"] == "nosniff")
            #expect(picture.headers["cache-control"] == "no-store")
            #expect(picture.headers["content-security-policy"]?.contains("sandbox") == true)
            #expect(try entries(api).first?.action == .sawResultPicture)
            for role in Role.allCases where role != .officer {
                #expect(try await api.browser(role).get(path).status == 403, "\(role)")
            }
            #expect(try await api.stranger.get(path).status == 303)
        }
    }

    @Test func `A draft is nobody's to see`() async throws {
        try await TestAPI.withSelfReports { api in
            let reference = try #require(try await api.uploadPicture(by: api.stranger).form().reference)
            let officer = try api.browser(.officer)
            for path in ["/results/\(reference)", "/results/\(reference)/picture"] {
                #expect(try await officer.get(path).status == 404)
                #expect(try await api.stranger.get(path).status == 303)
            }
        }
    }

    @Test(arguments: Backend.installed)
    func `Confirming files the report, tells who was exposed, and deletes the picture`(backend: Backend) async throws {
        try await TestAPI.withSelfReports(backend) { api in
            let (ann, ben) = try await api.annNearBen()
            let reference = try await api.sendPicture()
            let officer = try api.browser(.officer)
            let form = ["choice": "s1", "person": "", "test": "2026-10-31", "onset": "2026-11-01"]
            let filed = try await officer.post("/results/\(reference)/file", form)
            #expect(filed.headers["location"] == "/reports/\(reference)?done=filed", "\(filed.text)")
            try api.store.use { store in
                let report = try #require(try store.filedReport(reference))
                #expect(report.positive.reportType == .confirmed)
                #expect(report.positive.test == TestAPI.testDay - 1 && report.positive.onset == TestAPI.testDay)
                #expect(report.subjects.map(\.identity) == [ann.identity])
                let exposed = Set(try store.exposures(ofReport: report.number, limit: 10).map(\.subject))
                #expect(exposed == [ben.identity])
                #expect(try store.picture(ofSubmittedResult: reference) == nil)
                #expect(try store.submittedResult(reference) == nil)
            }
            let entry = try #require(try entries(api).first)
            #expect(entry.action == .filedReport && entry.object == reference && entry.name == "Olga Officer")
        }
    }

    @Test func `The second officer is told that it was decided before`() async throws {
        try await TestAPI.withSelfReports { api in
            _ = try await api.annNearBen()
            let (first, second) = (try api.browser(.officer), try api.browser(.officer, name: "Oscar"))
            let (filed, refused) = (try await api.sendPicture(), try await api.sendPicture())
            let form = ["choice": "s1", "test": "2026-11-01"]
            #expect(try await first.post("/results/\(filed)/file", form).status == 303)
            #expect(try await first.post("/results/\(refused)/refuse", ["reason": "no such test"]).status == 303)
            for reference in [filed, refused] {
                for path in ["file", "refuse"] {
                    let late = try await second.post(
                        "/results/\(reference)/\(path)", form.merging(["reason": "x"]) { own, _ in own })
                    #expect(late.status == 409 && late.text.contains("was decided before"), "\(late.text)")
                }
                #expect(try await second.get("/results/\(reference)").status == 404)
            }
            let count = try api.store.use { try $0.reports(since: 0).count }
            #expect(count == 1)
        }
    }

    @Test func `A refusal needs a reason, and deletes the result`() async throws {
        try await TestAPI.withSelfReports { api in
            let reference = try await api.sendPicture()
            let officer = try api.browser(.officer)
            let missing = try await officer.post("/results/\(reference)/refuse", ["reason": " "])
            #expect(missing.status == 422 && missing.text.contains("id=\"reason-mistake\""))
            let refused = try await officer.post("/results/\(reference)/refuse", ["reason": "The picture is forged"])
            #expect(refused.headers["location"] == "/reports?done=result-refused")
            let picture = try api.store.use { try $0.picture(ofSubmittedResult: reference) }
            #expect(picture == nil)
            let entry = try #require(try entries(api).first)
            #expect(entry.action == .refusedResult && entry.detail == "The picture is forged")
            #expect(!"\(entry)".contains("Ann"))
        }
    }

    @Test func `Mistakes are marked, and nothing is decided`() async throws {
        try await TestAPI.withSelfReports { api in
            _ = try await api.annNearBen()
            let reference = try await api.sendPicture()
            let officer = try api.browser(.officer)
            let nobody = try await officer.post("/results/\(reference)/file", ["test": "2026-12-24"])
            #expect(nobody.status == 422)
            for part in ["Choose the person, or type a name or a number.", "2026-12-24 is in the future"] {
                #expect(nobody.text.contains(part), "\(part)")
            }
            // Who was typed counts, not who was chosen.
            let typed = try await officer.post(
                "/results/\(reference)/file", ["choice": "s1", "person": "Nobody Known", "test": "2026-11-01"])
            #expect(typed.status == 422 && typed.text.contains("Nobody in the register of people has this name"))
            let count = try api.store.use { try $0.waitingResultCount() }
            #expect(count == 1)
        }
    }
}
