import Pages
import SignIn
import Testing

@Suite("Surveys") struct SurveysPageTests {
    private func shown(
        _ buildings: [SurveysPage.Building], rows: [SurveysPage.Row] = [], unknown: String? = nil
    ) throws -> ShownPage {
        try ShownPage(
            SurveysPage(
                ShownPage.frame("Surveys", .operator), buildings: buildings, unknown: unknown, rows: rows,
                extent: "Spots: \(rows.count).", nextPath: nil))
    }

    @Test("A building has what became of its survey, with figures only if it was checked") func buildings() throws {
        let checked = SurveysPage.Building(
            name: Hostile.name, text: "used on 1 floor",
            figures: [.init(label: "right room", without: "73 %", with: "100 %")], unsurveyed: Hostile.name)
        let page = try shown([checked, .init(name: "campus/hb", text: "none", figures: [], unsurveyed: nil)])
        #expect(!page.html.contains("<script>") && page.nakedTables == 0)
        #expect(page.words.contains("Survey: used on 1 floor.") && page.words.contains("73 %"))
        #expect(page.count("<table") == 2)
    }

    @Test("A spot has its room and who measured it, and unknown figures their reason") func spots() throws {
        let row = SurveysPage.Row(
            number: "7", floor: "campus/hb/2", room: Hostile.name, x: "2.5 m", y: "3 m",
            time: "Mon 2026-11-02 08:00", receivers: 3, source: "somebody with a badge")
        let page = try shown([], rows: [row], unknown: "Not known yet.")
        #expect(!page.html.contains("<script>") && page.words.contains("Not known yet."))
        #expect(page.words.contains("somebody with a badge"))
        #expect(try shown([]).words.contains("There is no survey."))
    }
}
