import Pages
import SignIn
import Testing

@Suite("Enrolment of phones") struct EnrolmentPageTests {
    private func shown(_ rows: [EnrolmentPage.Row], nextPath: String? = nil) throws -> ShownPage {
        try ShownPage(
            EnrolmentPage(
                ShownPage.frame("Enrolment of phones", .operator), rule: "With a code.", rows: rows,
                extent: "Labels: \(rows.count).", nextPath: nextPath))
    }

    @Test("Each label has a button with its name") func labels() throws {
        let page = try shown([
            .init(
                label: Hostile.name, state: StateTag("open", .good), codes: 2, uses: 6, used: 0,
                expires: "Mon 2026-11-02 08:00")
        ])
        #expect(!page.html.contains("<script>") && page.nakedTables == 0 && page.unlabelledFields.isEmpty)
        #expect(page.count("action=\"/enrolment/revoke\"") == 1)
        #expect(page.count("name=\"token\" value=\"form-token\"") == 2)
        #expect(page.count("class=\"number\">0</td>") == 1)
    }

    @Test("Only a page that is not the last has a link to the next") func next() throws {
        #expect(try shown([], nextPath: "/enrolment?from=50").count("href=\"/enrolment?from=50\"") == 1)
        #expect(try shown([]).count("from=") == 0)
    }

    @Test("Without codes the page says so, and how codes are issued") func nothing() throws {
        let page = try shown([])
        #expect(page.words.contains("No codes are issued."))
        #expect(page.words.contains("beacon-matcher enrolment issue"))
    }
}
