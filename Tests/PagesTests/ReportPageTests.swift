import Pages
import Testing

@Suite("Page of a report") struct ReportPageTests {
    private let values: OfficerPageValues

    init() throws { values = try OfficerPageValues() }

    private var exposed: ReportPage.Exposed {
        .init(
            person: values.person, risk: OfficerTag("high", tone: "bad"), when: "Mon 2026-10-19 09:00 to 09:45",
            minutes: "45.0 min", near: "0.5 m to 1.5 m", place: "Room 101, main 1", notified: "Notified, not read yet",
            why: OfficerPageValues.hostile)
    }

    private func html(
        _ choices: ReportPage.Choices, decision: String? = nil, exposures: [ReportPage.Exposed]? = nil,
        reasonsPath: String? = nil
    ) -> String {
        values.renderer.html(
            ReportPage(
                values.frame("Report"), report: values.row, reference: "abc", symptoms: "feels sick",
                decision: decision, remarks: ["Only 500 exposures are listed."], choices: choices,
                summary: "1 person was exposed by this report; 1 of them is notified.",
                exposures: exposures ?? [exposed], reasonsPath: reasonsPath))
    }

    @Test("What comes from outside is escaped, and inputs have labels") func frame() {
        values.check(html(.init(confirm: "/c", refuse: "/r", reason: OfficerPageValues.hostile, mistake: "Write why.")))
        values.check(html(.init(withdraw: "/w")))
    }

    @Test("A report that waits can be confirmed, or refused with a reason") func waiting() {
        let html = html(.init(confirm: "/reports/abc/confirm", refuse: "/reports/abc/refuse"))
        #expect(html.contains("action=\"/reports/abc/confirm\""))
        #expect(html.contains("<button>Confirm report</button>"))
        #expect(html.contains("action=\"/reports/abc/refuse\""))
        #expect(html.contains("name=\"reason\" value=\"\" maxlength=\"500\" required"))
        #expect(!html.contains("Withdraw report"))
    }

    @Test("A confirmed report can only be withdrawn, and says who confirmed it") func confirmed() {
        let html = html(
            .init(withdraw: "/reports/abc/withdraw"), decision: "Confirmed by Olga at Tue 2026-10-20 11:00.")
        #expect(html.contains("Confirmed by Olga at Tue 2026-10-20 11:00."))
        #expect(html.contains("action=\"/reports/abc/withdraw\""))
        #expect(!html.contains("Confirm report"))
        #expect(!html.contains("Refuse report"))
    }

    @Test("A missing reason is said beside the field") func mistake() {
        let html = html(.init(refuse: "/r", mistake: "Write why."))
        #expect(html.contains("aria-invalid=\"true\" aria-describedby=\"reason-mistake\""))
        #expect(html.contains("id=\"reason-mistake\">Write why."))
    }

    @Test("Exposures have the person, the level, when, how long, where and whether they are notified") func exposures()
    {
        let html = html(.init(), reasonsPath: "/reports/abc?why=1")
        for text in [
            "/person?number=s%22123", "<span class=\"tag bad\">high</span>", "09:00 to 09:45", "45.0 min",
            "Room 101, main 1", "Notified, not read yet", "feels sick", "Only 500 exposures",
        ] {
            #expect(html.contains(text))
        }
        #expect(html.contains("href=\"/reports/abc?why=1\""))
        #expect(!html.contains("How near"))
    }

    @Test("Distances and reasons are columns when they are asked for") func reasons() {
        let html = html(.init())
        #expect(html.contains("How near"))
        #expect(html.contains("0.5 m to 1.5 m"))
        #expect(html.contains("&lt;script&gt;"))
        #expect(!html.contains("?why=1"))
    }

    @Test("Without exposures there is no table") func nobody() {
        let html = html(.init(), exposures: [], reasonsPath: "/reports/abc?why=1")
        #expect(!html.contains("<table"))
        #expect(!html.contains("?why=1"))
    }
}
