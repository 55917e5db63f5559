import Pages
import SignIn
import Testing

@Suite("Coverage by receivers") struct CoveragePageTests {
    private func shown(_ floors: [CoveragePage.Floor], notes: [String] = []) throws -> ShownPage {
        try ShownPage(
            CoveragePage(ShownPage.frame("Coverage", .operator), span: "The last hour.", floors: floors, notes: notes))
    }

    @Test("A floor has its shares, and what to do stands above the table") func floor() throws {
        let floor = CoveragePage.Floor(
            floor: Hostile.name, receivers: "2", minutes: "60", byOne: "12 %", byTwo: "88 %", byThree: "0 %",
            byMore: "0 %")
        let page = try shown([floor], notes: [Hostile.name + ": one receiver"])
        #expect(!page.html.contains("<script>") && page.nakedTables == 0)
        #expect(page.words.contains("12 %") && page.words.contains("88 %"))
        #expect(page.count("<h2>What to do</h2>") == 1)
    }

    @Test("Without readings it says that nothing is known, and no advice is given") func nothing() throws {
        let page = try shown([])
        #expect(page.words.contains("so nothing is known about it."))
        #expect(!page.words.contains("What to do"))
    }
}
