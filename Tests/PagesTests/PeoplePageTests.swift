import Pages
import Testing

@Suite("Search for people") struct PeoplePageTests {
    private let values: OfficerPageValues

    init() throws { values = try OfficerPageValues() }

    private func html(_ query: String, _ summary: String?, _ people: [PeoplePage.Row] = []) -> String {
        values.renderer.html(PeoplePage(values.frame("People"), query: query, summary: summary, people: people))
    }

    @Test("What comes from outside is escaped, and the input has a label") func frame() {
        values.check(
            html(OfficerPageValues.hostile, "Several.", [.init(person: values.person, contact: "a@b.example")]))
    }

    @Test("People who can be meant are links with their numbers") func choices() {
        let html = html("Anna", "Several people.", [.init(person: values.person, contact: "a@b.example")])
        #expect(html.contains("href=\"/person?number=s%22123\""))
        #expect(html.contains("a@b.example"))
        #expect(html.contains("value=\"Anna\""))
    }

    @Test("Without a search there is only the form") func form() {
        #expect(!html("", nil).contains("role=\"status\""))
        #expect(!html("", nil).contains("<table"))
    }
}
