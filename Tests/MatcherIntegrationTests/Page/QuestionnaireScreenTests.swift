import InteractionStore
import SignIn
import SystemIO
import Testing

@testable import MatcherCore
@testable import MatcherDaemon

@Suite("The questionnaire on the page") struct QuestionnaireScreenTests {
    private func with<Value>(
        isolation: isolated (any Actor)? = #isolation, _ body: (TestAPI) async throws -> Value
    ) async throws -> Value {
        try await TestAPI.with(configuration: TestAPI.pageConfiguration, body)
    }

    private func answers(_ given: [String: String]) -> [String: String] {
        var fields = [QuestionnaireAnswers.contactName: "no"]
        for symptom in Symptom.allCases { fields[symptom.rawValue] = "none" }
        return fields.merging(given) { $1 }
    }

    @Test func `A student answers, and sees the level, the reason and what to do`() async throws {
        try await with { api in
            let student = try api.browser(.student, name: "Ann", number: "s1")
            #expect(try await student.get("/questionnaire").text.contains("There are no answers from earlier days."))
            let answer = try await student.post(
                "/questionnaire/answer", answers(["contact": "yes", "cough": "mild"]))
            #expect(answer.status == 303 && answer.headers["location"] == "/questionnaire?done=answered")
            let page = try await student.get("/questionnaire?done=answered").text
            for part in [
                "High risk", "have a symptom that is typical of the infection", "Stay at home", "Only you see",
                "name=\"cough\" value=\"mild\" required checked>",
            ] { #expect(page.contains(part), "\(part)") }
            #expect(try await student.get("/me").text.contains("Your answers from Mon 2026-11-02: high risk."))
        }
    }

    @Test func `It is asked again the next day while it matters`() async throws {
        try await with { api in
            let student = try api.browser(.student, name: "Ann", number: "s1")
            _ = try await student.post("/questionnaire/answer", answers(["fever": "mild"]))
            #expect(try await !student.get("/me").text.contains("Answer it today"))
            api.clock.withLock { $0 += 86_400 }
            let tomorrow = try api.browser(.student, name: "Ann", number: "s1")
            #expect(try await tomorrow.get("/me").text.contains("Answer it today"))
            _ = try await tomorrow.post("/questionnaire/answer", answers([:]))
            let page = try await tomorrow.get("/questionnaire").text
            #expect(page.contains("Your answers from Tue 2026-11-03") && page.contains("Mon 2026-11-02"))
            api.clock.withLock { $0 += 86_400 }
            let later = try api.browser(.student, name: "Ann", number: "s1")
            #expect(try await !later.get("/me").text.contains("Answer it today"))
        }
    }

    @Test func `Answers that are missing are asked for again, and the others stay`() async throws {
        try await with { api in
            let student = try api.browser(.student, name: "Ann", number: "s1")
            var fields = answers(["contact": "yes"])
            fields["fever"] = nil
            let answer = try await student.post("/questionnaire/answer", fields)
            #expect(answer.status == 422 && answer.text.contains("An answer is missing"))
            #expect(answer.text.contains("name=\"contact\" value=\"yes\" required checked>"))
            #expect(try api.store.use { try $0.questionnaires(of: "s1") }.isEmpty)
        }
    }

    @Test func `Nobody else sees the answers, and without a number none are kept`() async throws {
        try await with { api in
            _ = try await api.browser(.student, name: "Ann", number: "s1")
                .post("/questionnaire/answer", answers(["loss-of-smell-or-taste": "severe"]))
            let other = try await api.browser(.student, name: "Ben", number: "s2").get("/questionnaire").text
            #expect(!other.contains("High risk"))
            let officer = try api.browser(.officer)
            #expect(try await officer.get("/questionnaire").status == 403)
            for path in ["/overview", "/person?number=s1", "/exposures", "/reports"] {
                let page = try await officer.get(path).text.lowercased()
                #expect(!page.contains("questionnaire") && !page.contains("smell"), "\(path)")
            }
            let entries = try api.store.use { try $0.audit(limit: 50).map { $0.entry } }
            #expect(!entries.contains { "\($0)".contains("smell") })
            let unnumbered = try api.browser(.student, name: "Cy")
            #expect(try await unnumbered.get("/questionnaire").text.contains("no student or staff number"))
            #expect(try await unnumbered.post("/questionnaire/answer", answers([:])).status == 422)
        }
    }
}
