import Pages
import SignIn
import Testing

@Suite("Rules of the policy") struct PolicyPageTests {
    private let values: OfficerPageValues

    init() throws { values = try OfficerPageValues() }

    private func html(warning: String? = nil, measured: [PolicyPage.Measured] = []) -> String {
        values.renderer.html(
            PolicyPage(
                values.frame("Rules"), title: OfficerPageValues.hostile, warning: warning,
                facts: [LabelledFact("Version", OfficerPageValues.hostile)], contacts: ["Two people are near."],
                weights: ["All days count alike."], measure: "By exposures.",
                steps: [.init(level: OfficerTag("high", tone: "bad"), label: "exposed", from: "1 exposure")],
                measured: measured))
    }

    @Test("What a policy file says is escaped, and its limits stand at the top") func warning() {
        values.check(html(warning: OfficerPageValues.hostile))
        #expect(html(warning: "Take it as a ranking.").contains("<p class=\"notice\">Take it as a ranking.</p>"))
        #expect(!html().contains("class=\"notice\""))
    }

    @Test("A policy without measurements has no table of its accuracy") func measured() {
        let one = PolicyPage.Measured(question: "within 6 m", world: "halls", precision: "60 %", recall: "85 %")
        values.check(html(measured: [one]))
        for text in ["within 6 m", "halls", "60 %", "85 %"] { #expect(html(measured: [one]).contains(text)) }
        #expect(!html().contains("Precision"))
    }
}
