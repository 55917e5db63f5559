import Pages
import Testing

@Suite("Results that people sent in") struct ResultPageTests {
    private let values: OfficerPageValues

    init() throws { values = try OfficerPageValues() }

    private static let comparison = "Compare the name on the picture with the person whom you choose."

    private func html(
        picture: String? = "/results/abc/picture", _ form: ReportForm? = nil, reason: String? = nil
    ) -> String {
        values.renderer.html(
            ResultPage(
                values.frame("Result"), path: "/results/abc",
                .init(
                    sent: [.init("Name", OfficerPageValues.hostile)], picturePath: picture,
                    readOff: picture == nil ? [] : [.init("QR code", OfficerPageValues.hostile)],
                    remark: "Look at it."),
                form ?? Self.typed, latest: "2026-11-02", reason: TypedField(mistake: reason)))
    }

    private static let typed = ReportForm(test: "2026-11-01", isConfirmed: true)

    private var mistakes: ReportForm {
        var form = Self.typed
        form.person.mistake = "Choose the person."
        form.test.mistake = "a"
        form.onset.mistake = "b"
        form.doubts = [OfficerPageValues.hostile]
        form.choices = [
            .init(name: OfficerPageValues.hostile, number: "s1", contact: "ann@campus.example", isChosen: true)
        ]
        return form
    }

    @Test("What comes from outside is escaped, and inputs have labels") func frame() {
        values.check(html())
        values.check(html(mistakes, reason: "Write why."))
    }

    @Test("The picture has a text, and a result with a code has none") func picture() {
        #expect(html().contains("<img src=\"/results/abc/picture\" alt=\"Picture of the test result\">"))
        #expect(!html(picture: nil).contains("<img src=\"/results"))
        #expect(!html(picture: nil).contains("What was read off"))
    }

    @Test("The officer chooses a person, or is told that nobody is known") func choices() {
        #expect(html(mistakes).contains("name=\"choice\" value=\"s1\" checked"))
        #expect(html(mistakes).contains(Self.comparison))
        #expect(!html(picture: nil, mistakes).contains(Self.comparison))
        #expect(html().contains("Nobody in the register of people has this number or name."))
    }

    @Test("Mistakes stand beside their fields") func marked() {
        let html = html(mistakes, reason: "Write why.")
        for part in [
            "id=\"person-mistake\">Choose the person.", "id=\"test-mistake\">a", "id=\"onset-mistake\">b",
            "id=\"reason-mistake\">Write why.", "name=\"agreed\" value=\"yes\"",
        ] { #expect(html.contains(part), "\(part)") }
        #expect(!self.html().contains("-mistake"))
    }

    @Test("A list and the first page name what was sent in") func list() {
        let reports = values.renderer.html(
            ReportsPage(
                values.frame("Reports"), filters: [], summary: "", reports: [], older: nil, gone: [],
                sentIn: [
                    .init(
                        path: "/results/abc", sent: "Mon 2026-11-02 12:00", sender: OfficerPageValues.hostile,
                        sample: "Sun 2026-11-01", proof: "picture")
                ], moreSentIn: "There are more than 50."))
        values.check(reports)
        for part in ["href=\"/results/abc\">Mon 2026-11-02 12:00", "There are more than 50.", "id=\"sent-in\""] {
            #expect(reports.contains(part), "\(part)")
        }
    }
}
