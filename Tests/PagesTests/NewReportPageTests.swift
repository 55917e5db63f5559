import Pages
import Testing

@Suite("Form of a new report") struct NewReportPageTests {
    private let values: OfficerPageValues

    init() throws { values = try OfficerPageValues() }

    private func html(_ form: ReportForm) -> String {
        values.renderer.html(NewReportPage(values.frame("New report"), form, latest: "2026-10-20"))
    }

    private func choices(person: String = "") -> ReportForm {
        var form = ReportForm(person: person)
        form.person.mistake = "Several people have this name or number: choose one below."
        form.choices = [
            .init(name: "Anna Smith", number: "s1", contact: "anna@campus.example", isChosen: false),
            .init(name: OfficerPageValues.hostile, number: "s2", contact: "", isChosen: true),
        ]
        return form
    }

    @Test("What comes from outside is escaped, and inputs have labels") func frame() {
        var form = choices(person: OfficerPageValues.hostile)
        form.test.mistake = "a"
        form.onset.mistake = "b"
        form.confirmationMistake = "c"
        form.doubts = [OfficerPageValues.hostile]
        values.check(html(.init()))
        values.check(html(form))
    }

    @Test("What was typed is kept") func typed() {
        let html = html(.init(person: "Anna", test: "2026-10-19", onset: "2026-10-17", isConfirmed: false))
        #expect(html.contains("name=\"person\" value=\"Anna\""))
        #expect(html.contains("name=\"test\" value=\"2026-10-19\" max=\"2026-10-20\""))
        #expect(html.contains("name=\"onset\" value=\"2026-10-17\""))
        #expect(html.contains("value=\"self-reported\" checked"))
        #expect(!html.contains("required checked"))
    }

    @Test("The identifier of a badge has an example, and no placeholders") func example() {
        #expect(html(.init()).contains("for example badge:e2c56db5-"))
        #expect(!html(.init()).contains("KIND"))
    }

    @Test("Nothing is chosen beforehand") func fresh() { #expect(!html(.init()).contains("checked")) }

    @Test("Mistakes stand beside their fields") func mistakes() {
        var form = ReportForm(test: "2026-11-20")
        form.test.mistake = "2026-11-20 is in the future."
        let html = html(form)
        #expect(html.contains("aria-invalid=\"true\" aria-describedby=\"test-mistake\""))
        #expect(html.contains("id=\"test-mistake\">2026-11-20 is in the future."))
        #expect(!html.contains("person-mistake"))
    }

    @Test("Several people of one name are told apart by number and contact") func people() {
        let html = html(choices(person: "Anna Smith"))
        #expect(html.contains("name=\"choice\" value=\"s1\"> Anna Smith <span class=\"id\">s1</span>"))
        #expect(html.contains("anna@campus.example"))
        #expect(html.contains("name=\"choice\" value=\"s2\" checked"))
    }

    @Test("Doubts are agreed to before the report is filed") func doubts() {
        var form = ReportForm()
        form.doubts = ["No gateway ever received this badge or phone."]
        #expect(html(form).contains("name=\"agreed\" value=\"yes\""))
        #expect(!html(.init()).contains("agreed"))
    }

    @Test("A choice that was made is no mistake") func chosen() {
        var form = choices()
        form.person.mistake = nil
        #expect(!form.hasMistakes)
        #expect(choices().hasMistakes)
    }
}
