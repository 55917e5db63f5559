import Pages
import Testing

@Suite("List of exposed people") struct ExposuresPageTests {
    private let values: OfficerPageValues

    init() throws { values = try OfficerPageValues() }

    private func html(_ people: [ExposuresPage.Row], older: String? = nil) -> String {
        values.renderer.html(
            ExposuresPage(
                values.frame("Exposures"),
                filters: [.init("Last 7 days", path: "/exposures?days=7", isChosen: true)],
                levels: [.init("high", path: "/exposures?days=7&level=high", isChosen: false)],
                summary: "1 person was exposed in the last 7 days.", people: people, older: older))
    }

    private var row: ExposuresPage.Row {
        .init(
            person: values.person, risk: OfficerTag("medium", tone: "warn"), latest: "Mon 2026-10-19 09:45",
            minutes: "45.0 min", place: "Room 101, main 1", reports: "2", notified: "Notified, and read",
            contact: OfficerPageValues.hostile)
    }

    @Test("What comes from outside is escaped") func frame() { values.check(html([row])) }

    @Test("A person has the level, the latest time and whether the notice was read") func person() {
        let html = html([row], older: "/exposures?days=7&after=1%20badge%3Ax")
        for text in ["<span class=\"tag warn\">medium</span>", "Mon 2026-10-19 09:45", "Notified, and read"] {
            #expect(html.contains(text))
        }
        #expect(html.contains("href=\"/exposures?days=7&amp;after=1%20badge%3Ax\""))
    }

    @Test("The latest exposure has its length and place, and a link to where and why") func whereAndWhy() {
        let html = html([row])
        #expect(html.contains("45.0 min") && html.contains("Room 101, main 1"))
        #expect(html.contains("<a href=\"/person?number=s%22123&amp;why=1#exposures\">Where and why<"))
    }

    @Test("Without anybody there is a sentence and no table") func nobody() {
        #expect(!html([]).contains("<table"))
        #expect(html([]).contains("in the last 7 days."))
    }
}
