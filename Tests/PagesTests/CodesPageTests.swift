import Pages
import Testing

@Suite("Form of verification codes") struct CodesPageTests {
    private let values: OfficerPageValues

    init() throws { values = try OfficerPageValues() }

    private func html(issued: [String] = [], _ form: CodesPage.Form = .init()) -> String {
        values.renderer.html(
            CodesPage(
                values.frame("Verification codes"),
                issued: issued.isEmpty ? nil : .init(codes: issued, validity: "Each works once."),
                open: "2 short and 0 long codes can be used now.", form, once: "abc", latest: "2026-11-02"))
    }

    /// Returns a form with mistakes everywhere.
    private func marked(_ typed: CodesPage.Form) -> CodesPage.Form {
        var form = typed
        form.test.mistake = OfficerPageValues.hostile
        form.onset.mistake = "b"
        form.minutes.mistake = "c"
        form.count.mistake = "d"
        form.obstacle = "Too many are open."
        return form
    }

    @Test("What comes from outside is escaped, and inputs have labels") func frame() {
        values.check(html())
        values.check(html(issued: ["4918 0372"], marked(.init(test: OfficerPageValues.hostile))))
    }

    @Test("Codes are a list, without the rest of the page on paper") func issued() {
        let html = html(issued: ["4918 0372", "0000 1111"])
        for part in ["<li class=\"code\">4918 0372</li>", "<li class=\"code\">0000 1111</li>", "Each works once."] {
            #expect(html.contains(part), "\(part)")
        }
        #expect(!self.html().contains("New codes"))
        #expect(html.contains("name=\"once\" value=\"abc\""))
    }

    @Test("What was typed is kept, and mistakes stand beside their fields") func mistakes() {
        let html = html(marked(.init(test: "2026-11-01", isLong: true, minutes: "61", count: "21")))
        for part in [
            "value=\"long\" checked", "name=\"minutes\" value=\"61\"", "name=\"count\" value=\"21\"",
            "id=\"onset-mistake\">b", "id=\"minutes-mistake\">c", "id=\"count-mistake\">d", "Too many are open.",
        ] { #expect(html.contains(part), "\(part)") }
        #expect(!html.contains("value=\"short\" required checked"))
        #expect(self.html().contains("value=\"short\" required checked"))
        #expect(!self.html().contains("-mistake"))
    }
}
