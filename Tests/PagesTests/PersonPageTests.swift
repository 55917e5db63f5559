import Pages
import Testing

@Suite("Page of a person") struct PersonPageTests {
    private let values: OfficerPageValues

    init() throws { values = try OfficerPageValues() }

    private func html(
        _ person: PersonPage.Registered?, exposures: [PersonPage.Exposed] = [], reports: [ReportRow] = []
    ) -> String {
        values.renderer.html(
            PersonPage(
                values.frame(person?.name ?? "Badge without a known owner"), person: person,
                devices: [.init("Badge", id: "u/1/2")], risk: OfficerTag("low"),
                notified: ["Badge: Notified, not read yet"], exposures: exposures, hasMore: false, reports: reports,
                newReportPath: "/new-report?person=s1"))
    }

    private var anna: PersonPage.Registered {
        .init(name: "Anna <script>", number: "s1", contact: ["a@b.example", "555 1234"])
    }

    private var exposed: PersonPage.Exposed {
        .init(
            when: "Mon 2026-10-19 09:00 to 09:45", minutes: "45.0 min", place: "Room 101", device: "Badge",
            reportPath: "/reports/abc")
    }

    @Test("What comes from outside is escaped") func frame() {
        values.check(html(anna, exposures: [exposed], reports: [values.row]))
    }

    @Test("A person has number, contact, devices, risk and a link to report them") func facts() {
        let html = html(anna)
        for text in [
            "<span class=\"id\">s1</span>", "a@b.example<br>555 1234", "u/1/2", "Notified, not read yet",
            "href=\"/new-report?person=s1\">Report this person",
        ] {
            #expect(html.contains(text))
        }
        #expect(html.contains("No exposures are known."))
    }

    @Test("An exposure leads to its report, and names nobody") func exposure() {
        let html = html(anna, exposures: [exposed])
        #expect(html.contains("<a href=\"/reports/abc\">the report</a>"))
        #expect(html.contains("Room 101"))
    }

    @Test("Distances and reasons are columns when they are asked for") func reasons() {
        func html(_ change: (inout PersonPage) -> Void) -> String {
            var exposed = self.exposed
            (exposed.near, exposed.why) = ("0.5 m to 1.5 m", OfficerPageValues.hostile)
            var page = PersonPage(
                values.frame("Anna"), person: anna, devices: [], risk: OfficerTag("low"), notified: [],
                exposures: [exposed], hasMore: false, reports: [], newReportPath: "/new-report?person=s1")
            change(&page)
            return values.renderer.html(page)
        }
        let plain = html { $0.reasonsPath = "/person?number=s1&why=1#exposures" }
        #expect(plain.contains("href=\"/person?number=s1&amp;why=1#exposures\""))
        #expect(!plain.contains("How near") && !plain.contains("0.5 m"))
        let shown = html {
            $0.hasReasons = true
            $0.reasonRemarks = ["Something was left out."]
        }
        values.check(shown)
        for text in ["How near", "0.5 m to 1.5 m", "Why it counts", "Something was left out.", "id=\"exposures\""] {
            #expect(shown.contains(text), "\(text)")
        }
        #expect(!shown.contains("why=1"))
    }

    @Test("Rooms are shown to whoever asks for them, and what is not known is said") func rooms() {
        func html(_ rows: [PersonPage.Stay]) -> String {
            values.renderer.html(
                PersonPage(
                    values.frame("Anna"), person: anna, devices: [], risk: OfficerTag("low"), notified: [],
                    exposures: [], hasMore: false, reports: [], newReportPath: "/new-report?person=s1",
                    stays: PersonPage.Stays(extent: "The last 7 days.", rows: rows)))
        }
        let stay = PersonPage.Stay(
            when: "Mon 2026-10-19 09:00 to 09:45", room: OfficerPageValues.hostile, floor: "campus/main/1",
            certainty: "75 %", device: "Badge")
        values.check(html([stay]))
        for text in ["The last 7 days.", "Mon 2026-10-19 09:00 to 09:45", "campus/main/1", "75 %"] {
            #expect(html([stay]).contains(text), "\(text)")
        }
        #expect(html([]).contains("No room is known."))
    }

    @Test("A badge that is not in the register says so") func unknown() {
        let html = html(nil)
        #expect(html.contains("not in the register of people"))
        #expect(html.contains("<h1>Badge without a known owner</h1>"))
    }
}
