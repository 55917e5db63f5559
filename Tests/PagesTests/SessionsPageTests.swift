import Pages
import SignIn
import Testing

@Suite("List of sessions") struct SessionsPageTests {
    @Test("A session has who, the roles and both times, and names are escaped") func row() throws {
        let page = try ShownPage(
            SessionsPage(
                ShownPage.frame("Who is signed in", .auditor), extent: "1 session.",
                rows: [
                    .init(
                        name: Hostile.name, account: "olga", roles: "officer", signedIn: "Mon 2026-11-02 08:00",
                        lastRequest: "Mon 2026-11-02 09:03")
                ]))
        #expect(!page.html.contains("<script>") && page.nakedTables == 0)
        for text in ["1 session.", "olga", "officer", "Mon 2026-11-02 08:00", "Mon 2026-11-02 09:03"] {
            #expect(page.words.contains(text), "\(text)")
        }
        #expect(page.count("method=\"post\"") == 1, "only the sign-out")
    }
}
