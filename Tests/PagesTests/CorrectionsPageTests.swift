import Pages
import SignIn
import Testing

@Suite("List of corrections") struct CorrectionsPageTests {
    private func shown(_ rows: [CorrectionsPage.Row], older: String? = nil) throws -> ShownPage {
        try ShownPage(
            CorrectionsPage(
                ShownPage.frame("Corrections", .lecturer), listPath: "/lectures", extent: "1 correction.", rows: rows,
                olderPath: older))
    }

    private func row(isKnown: Bool) -> CorrectionsPage.Row {
        CorrectionsPage.Row(
            lecture: "Physics, Mon 2026-11-02, 08:00 to 09:30", lecturePath: isKnown ? "/lecture?id=physics-1" : nil,
            student: Hostile.name, number: "s1", studentPath: isKnown ? "/timeline?student=s1" : nil,
            correction: .init(
                at: "Mon 2026-11-02 12:00", by: Hostile.name, former: "absent", new: "present", why: Hostile.name))
    }

    @Test("A correction has who, when, what and why, and what was typed is escaped") func row() throws {
        let page = try shown([row(isKnown: true)], older: "/corrections?from=100")
        #expect(!page.html.contains("<script>"))
        #expect(page.nakedTables == 0)
        for text in ["Physics, Mon 2026-11-02", "absent", "present", "Mon 2026-11-02 12:00", "s1"] {
            #expect(page.words.contains(text), "\(text)")
        }
        for path in ["/lecture?id=physics-1", "/timeline?student=s1", "/corrections?from=100"] {
            #expect(page.html.contains("href=\"\(path)\""), "\(path)")
        }
    }

    @Test("A correction of a lecture that was moved says which time it was about") func moved() throws {
        var row = self.row(isKnown: true)
        row.correction.moved = "when the lecture was Sun 2026-11-01, 10:00 to 11:30"
        #expect(try shown([row]).words.contains("(when the lecture was Sun 2026-11-01, 10:00 to 11:30)"))
        #expect(try !shown([self.row(isKnown: true)]).words.contains("when the lecture was"))
    }

    @Test("What has no page of its own is no link") func unknown() throws {
        let page = try shown([row(isKnown: false)])
        #expect(!page.html.contains("/lecture?") && !page.html.contains("/timeline?"))
    }

    @Test("Without corrections there is a sentence") func nothing() throws {
        #expect(try shown([]).words.contains("There are no corrections."))
    }
}
