import Pages
import SignIn
import Testing

@Suite("Letters and e-mails as they are shown") struct LettersPageTests {
    private let values: OfficerPageValues

    init() throws { values = try OfficerPageValues() }

    private func letter(_ name: String) -> LettersPage.Letter {
        .init(
            name: name, number: "s1", date: "Mon 2026-11-02", findings: ["You were exposed."],
            days: ["Sat 2026-10-31"], steps: ["Stay at home."], reason: "It names no places.", sender: "Health office")
    }

    private func part(_ label: String?, obstacle: String? = nil) -> NoticesPart {
        NoticesPart(
            reach: "4 of 6 people have an e-mail address.", obstacle: obstacle,
            webhook: "Every notice also goes to the webhook at hooks.example by itself.",
            lettersPath: "/letters?report=abc", sendPath: "/reports/abc/send",
            fields: [.init(name: "level", value: OfficerPageValues.hostile)],
            sendLabel: label,
            recipients: [
                .init(
                    person: values.person, state: OfficerTag("failed", tone: "bad"),
                    detail: "550 \(OfficerPageValues.hostile)", label: label == nil ? nil : "Send e-mail"),
                .init(person: values.person, state: OfficerTag("no address")),
            ])
    }

    @Test("Each letter is an article of its own, and what comes from outside is escaped") func letters() {
        let html = values.renderer.html(
            LettersPage(
                values.frame("Letters"), summary: "There are 2 letters.", remarks: [OfficerPageValues.hostile],
                letters: [letter("Anna"), letter(OfficerPageValues.hostile)], back: "/reports/abc"))
        values.check(html)
        #expect(html.ranges(of: "<article class=\"letter\">").count == 2)
        for text in ["Dear Anna,", "You were exposed.", "<li>Sat 2026-10-31</li>", "<li>Stay at home.</li>"] {
            #expect(html.contains(text), "\(text)")
        }
    }

    @Test("The style sheet puts each letter on a page of its own") func style() {
        #expect(String(decoding: PageAsset.style.bytes, as: UTF8.self).contains("break-after: page"))
    }

    @Test("A part has buttons for all and for each, and what has become of e-mails") func part() {
        let page = ExposuresPage(
            values.frame("Exposures"), filters: [], levels: [], summary: "2 people", people: [], older: nil,
            notices: part("Send e-mail to 4 people"))
        let html = values.renderer.html(page)
        values.check(html)
        for text in [
            "4 of 6 people have an e-mail address.", "<p>Every notice also goes to the webhook at hooks.example",
            "<button>Send e-mail to 4 people</button>", "Print letters",
            "<span class=\"tag bad\">failed</span> 550", "name=\"person\" value=\"s&quot;123\"",
        ] { #expect(html.contains(text), "\(text)") }
        #expect(html.ranges(of: "action=\"/reports/abc/send\"").count == 2)
        #expect(html.ranges(of: "name=\"level\"").count == 2)
    }

    @Test("Without a mail server a sentence is in the place of the buttons") func noServer() {
        let page = ExposuresPage(
            values.frame("Exposures"), filters: [], levels: [], summary: "2 people", people: [], older: nil,
            notices: part(nil, obstacle: "E-mail is not set up here."))
        let html = values.renderer.html(page)
        #expect(html.contains("E-mail is not set up here.") && html.contains("Print letters"))
        #expect(!html.contains("action=\"/reports/abc/send\""))
    }

    @Test("The choice of e-mails is a labelled box, or a sentence why there are none") func mailPreference() throws {
        func page(_ mail: MePage.MailPreference) throws -> ShownPage {
            try ShownPage(
                MePage(
                    ShownPage.frame("My status", .student), absence: nil, status: nil, devices: [], attendance: nil,
                    kept: [], mail: mail))
        }
        let on = try page(.init(address: "ann@campus.example", isOn: true))
        #expect(on.unlabelledFields.isEmpty && on.count("value=\"yes\" checked") == 1)
        #expect(on.words.contains("They go to ann@campus.example"))
        #expect(try page(.init(address: "ann@campus.example", isOn: false)).count(" checked") == 0)
        let none = try page(.init(obstacle: "E-mail is not set up here."))
        #expect(none.words.contains("E-mail is not set up here.") && none.count("/me/mail") == 0)
    }
}
