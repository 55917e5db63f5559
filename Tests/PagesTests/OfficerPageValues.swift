import Pages
import SignIn
import Testing

/// Values of the officer's pages, and what holds of all of them.
struct OfficerPageValues {
    let renderer: PageRenderer

    init() throws { renderer = try PageRenderer() }

    static let hostile = "<script>alert('x')</script>"

    let person = PersonLink("Anna <script>alert('x')</script>", id: "s\"123", path: "/person?number=s%22123")

    func frame(_ title: String, notice: Frame.Notice? = nil) -> Frame {
        let account = Account(issuer: "https://a.example", subject: "1", name: "Olga", roles: [.officer])
        return Frame(title, account: (account, "form-token"), notice: notice)
    }

    var row: ReportRow {
        ReportRow(
            path: "/reports/abc", state: OfficerTag("waits for a decision", tone: "warn"),
            received: "Tue 2026-10-20 10:00", test: "Mon 2026-10-19", onset: "not known", who: [person],
            others: "and codes of a phone", exposed: "4")
    }

    /// Checks what holds of all pages: one heading, no raw text from outside, a label for each input, and a caption
    /// for each table.
    func check(_ html: String) {
        #expect(html.ranges(of: "<h1").count == 1)
        #expect(!html.contains("<script>"))
        #expect(!html.contains("{{"))
        #expect(!html.contains(" style="))
        #expect(html.ranges(of: "<table").count == html.ranges(of: "<caption>").count)
        for start in html.ranges(of: "<input").map(\.lowerBound) {
            guard let end = html[start...].firstIndex(of: ">") else { continue }
            if html[start..<end].contains("type=\"hidden\"") { continue }
            let opened = html[..<start].ranges(of: "<label").last?.lowerBound
            let closed = html[..<start].ranges(of: "</label>").last?.lowerBound
            #expect(opened != nil)
            if let opened, let closed { #expect(opened > closed) }
        }
        for form in html.ranges(of: "method=\"post\"").map(\.upperBound) {
            #expect(html[form...].prefix(200).contains("name=\"token\" value=\"form-token\""))
        }
    }
}
