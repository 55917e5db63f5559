import Pages
import Testing

@Suite("List of reports") struct ReportsPageTests {
    private let values: OfficerPageValues

    init() throws { values = try OfficerPageValues() }

    private func html(_ reports: [ReportRow], older: String? = nil, gone: [ReportsPage.Gone] = []) -> String {
        values.renderer.html(
            ReportsPage(
                values.frame("Reports"),
                filters: [
                    .init("Waiting", path: "/reports?state=waiting", isChosen: true),
                    .init("All", path: "/reports?state=all", isChosen: false),
                ], summary: "1 report waits for a decision.", reports: reports, older: older, gone: gone))
    }

    @Test("What comes from outside is escaped") func frame() {
        values.check(
            html(
                [values.row], older: "/reports?before=4",
                gone: [
                    .init(
                        reference: "xyz", state: OfficerTag("refused"), by: "Olga", when: "Mon 2026-10-19 08:00",
                        reason: OfficerPageValues.hostile)
                ]))
    }

    @Test("A report has its state, its days and the number of the exposed") func row() {
        let html = html([values.row])
        for text in ["waits for a decision", "Mon 2026-10-19", "not known", " class=\"number\">4</td>"] {
            #expect(html.contains(text))
        }
        #expect(html.contains("and codes of a phone"))
    }

    @Test("The chosen filter is marked") func filter() {
        #expect(html([]).contains("href=\"/reports?state=waiting\" aria-current=\"true\">Waiting"))
        #expect(html([]).contains("href=\"/reports?state=all\">All"))
    }

    @Test("An empty list says so, and has no link to older reports") func empty() {
        #expect(html([]).contains("There are no such reports."))
        #expect(!html([]).contains("Older reports"))
        #expect(!html([]).contains("Refused and withdrawn"))
    }
}
