import Testing

@testable import Setup

@Suite("Rules for answers of setup") struct AnswerRulesTests {
    private func refusal(_ checked: CheckedAnswer) -> String? {
        if case .refused(let found, let allowed) = checked { return "\(found); \(allowed)" }
        return nil
    }

    @Test(
        arguments: [
            ("Main Building", "main-building"), ("Büro", "buero"), ("Straße 3", "strasse-3"), ("a/b", "a-b"),
            ("  x  ", "x"), ("日本", ""),
        ])
    func `A name with spaces or umlauts is refused, with one that would do`(name: String, suggestion: String) {
        let refusal = refusal(AnswerRules.level(name))
        #expect(refusal?.contains("must be made up of a-z, 0-9 and hyphens") == true)
        #expect(AnswerRules.suggestedLevel(name) == suggestion)
        #expect(suggestion.isEmpty || refusal?.hasSuffix(": " + suggestion) == true)
    }

    @Test func `A UUID with a typo is refused with what is wrong about it`() {
        #expect(
            refusal(AnswerRules.uuid("e2c56db5-dffb-48d2-b060-d0f5a71096e"))?.contains("these are 31 digits") == true)
        #expect(refusal(AnswerRules.uuid("e2c56db5-dffb-48d2-b060-d0f5a71096o0"))?.contains("\"o\"") == true)
        #expect(
            AnswerRules.uuids("E2C56DB5DFFB48D2B060D0F5A71096E0, e2c56db5-dffb-48d2-b060-d0f5a71096e0")
                == .accepted("e2c56db5-dffb-48d2-b060-d0f5a71096e0"))
    }

    @Test(arguments: ["mqtt://broker", "broker:8883", "a b", "broker/x", ""])
    func `An address with more than a host is refused`(text: String) {
        #expect(refusal(AnswerRules.host(text)) != nil)
    }

    @Test(arguments: ["0", "65536", "-1", "1e3", "eins", "99999999999999999999"])
    func `A port outside of its range is refused`(text: String) {
        #expect(refusal(AnswerRules.number(in: 1...65535)(text)) != nil)
    }

    @Test func `A password keeps its spaces, and a control character is refused`() {
        let question = SetupQuestion("k", heading: "", "t", form: .secret, rule: AnswerRules.password)
        #expect(question.check(" a b ") == .accepted(" a b "))
        #expect(refusal(question.check("a\u{1}")) != nil)
        #expect(question.check("none") == .accepted("none"), "a password may be that word")
    }
}
