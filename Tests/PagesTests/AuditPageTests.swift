import Pages
import SignIn
import Testing

@Suite("Page of the audit") struct AuditPageTests {
    private let renderer: PageRenderer

    init() throws { renderer = try PageRenderer() }

    private func page(
        query: String? = nil, entries: [AuditPage.Entry], older: String? = nil, latest: String? = nil
    ) -> String {
        let account = Account(issuer: "i", subject: "s", name: "Ada", roles: [.auditor])
        return renderer.html(
            AuditPage(
                Frame("Audit", route: .audit, account: (account, "token")), query: query, entries: entries,
                olderPath: older, latestPath: latest))
    }

    @Test("An entry says when, who, what, and about what")
    func entries() {
        let html = page(
            entries: [
                .init(
                    time: "2026-11-02 14:03", name: "Olga <b>", account: "olga", action: "confirmed report",
                    object: "17", detail: "laboratory called")
            ], older: "/audit?before=12")
        #expect(html.ranges(of: "<h1").count == 1)
        #expect(html.ranges(of: "<caption>").count == 1)
        #expect(!html.contains("<th>"))
        #expect(
            html.contains(
                "2026-11-02 14:03</td><th scope=\"row\">Olga &lt;b&gt; <span class=\"id\">olga</span></th>"))
        for text in [">confirmed report</td>", ">17</td>", ">laboratory called</td>"] { #expect(html.contains(text)) }
        #expect(html.contains("href=\"/audit?before=12\">Older entries</a>"))
        #expect(!html.contains("Latest entries"))
        #expect(!html.contains("{{"))
    }

    @Test("An entry of somebody whose name is not kept says so")
    func unnamed() {
        let html = page(
            entries: [
                .init(
                    time: "2026-11-02 14:03", name: "", account: "", action: "sent in result", object: "17",
                    detail: "with a code")
            ])
        #expect(html.contains("<th scope=\"row\">Somebody whose name is not kept <span class=\"id\"></span></th>"))
    }

    @Test("What was searched for stays in the field, and cannot end it")
    func search() {
        let html = page(query: "\" autofocus onfocus=\"x", entries: [], latest: "/audit")
        #expect(html.contains("<label>Name, action, or what it is about <input type=\"search\""))
        #expect(!html.contains("onfocus=\"x"))
        #expect(html.contains("Nothing was found for"))
        #expect(html.contains("href=\"/audit\">Latest entries</a>"))
    }

    @Test("The page says what an entry of the command line, and of who was erased, stands for")
    func commandLine() {
        let html = page(entries: [
            .init(
                time: "2026-11-02 14:03", name: "command line, olga", account: "uid 998", action: "saw person",
                object: "(erased)", detail: "with rooms")
        ])
        #expect(html.contains("<th scope=\"row\">command line, olga <span class=\"id\">uid 998</span></th>"))
        for part in ["“command line” with a name: ", "“(erased)”: a badge or phone that was erased"] {
            #expect(html.contains(part), "\(part)")
        }
    }

    @Test("An empty audit says so")
    func empty() {
        #expect(page(entries: []).contains("There are no entries yet."))
    }
}
