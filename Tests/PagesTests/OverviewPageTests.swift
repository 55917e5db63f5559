import Pages
import Testing

@Suite("First page of officers") struct OverviewPageTests {
    private let values: OfficerPageValues
    private let html: String

    init() throws {
        values = try OfficerPageValues()
        html = values.renderer.html(
            OverviewPage(
                values.frame("Overview"),
                periods: [
                    .init(
                        "Today", total: "5", path: "/exposures?days=1",
                        levels: [
                            .init(OfficerTag("high", tone: "bad"), count: "3", path: "/exposures?days=1&level=high")
                        ])
                ], waiting: 2, waitingPath: "/reports?state=waiting",
                gateways: .init(
                    working: 7, path: "/gateways?state=receiving",
                    states: [.init(StateTag("silent", .bad), number: 1, path: "/gateways?state=silent")]),
                reports: [values.row]))
    }

    @Test("What comes from outside is escaped, and inputs have labels") func frame() { values.check(html) }

    @Test("Each number leads to its list") func links() {
        #expect(html.contains("href=\"/exposures?days=1\">5 "))
        #expect(html.contains("href=\"/reports?state=waiting\">2 "))
        #expect(html.contains("href=\"/gateways?state=receiving\">7 "))
        #expect(
            html.contains("href=\"/gateways?state=silent\"><span class=\"tag bad\">silent</span> 1</a>"))
        #expect(html.contains("<a href=\"/reports/abc\">4<span class=\"hidden\">, report of "))
        #expect(html.contains("href=\"/exposures?days=1&amp;level=high\"><span class=\"tag bad\">high</span> 3</a>"))
    }

    @Test("The latest reports name the people, and lead to each report") func reports() {
        #expect(html.contains("<a href=\"/reports/abc\">Tue 2026-10-20 10:00</a>"))
        #expect(html.contains("Anna &lt;script&gt;"))
    }
}
