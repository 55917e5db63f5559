import OperatorText
import ResultPictures
import Testing

@Suite("Rows of words that tesseract read") struct RecognisedPageTests {
    /// Words of a page that is turned by 90 degrees, by `--psm 1`: labels and values are in different blocks.
    private static let turned = """
        1 1 1 1 109 722 35 354 92 Universitatsklinik
        1 1 1 2 129 695 4 12 93 -
        2 1 1 1 109 384 35 292 91 Befundbericht
        4 1 1 1 268 983 23 94 96 Name:
        4 1 2 1 356 859 25 219 91 Geburtsdatum:
        4 1 3 1 446 823 32 257 92 Auftragsnummer:
        4 1 4 1 536 919 25 158 91 Entnahme:
        4 2 1 1 628 1012 23 67 93 Test:
        4 2 2 1 716 881 32 198 92 Testergebnis:
        5 1 1 1 806 857 25 220 91 Berichtsdatum:
        6 1 1 1 266 616 32 63 94 Jorg
        6 1 1 2 266 512 25 89 96 Muller
        6 2 1 1 358 512 23 165 96 12.03.1966
        6 2 2 1 448 472 23 207 91 XRSAFT5123
        6 2 3 1 538 512 23 165 96 16.08.2023
        6 3 1 1 628 484 23 194 80 SARS-CoV-2
        6 3 1 2 626 304 32 170 92 Antigentest
        6 3 2 1 716 465 32 213 92 nachgewiesen
        7 1 1 1 808 512 23 165 96 17.08.2023
        """

    /// Words of a blurred photo that is tilted by 8 degrees, by `--psm 6`.
    private static let tilted = """
        1 1 1 1 137 69 72 40 94 Labor
        1 1 1 2 216 80 59 38 96 Mitte
        1 1 2 1 130 147 54 32 96 Name:
        1 1 2 2 328 180 43 18 96 Anna
        1 1 2 3 377 186 48 19 96 Smith
        1 1 3 1 120 192 131 38 75 Geburtsdatum:
        1 1 3 2 323 224 94 26 95 12.07.1975
        1 1 4 1 113 237 72 32 94 Auftrag:
        1 1 4 2 317 265 110 35 53 SIR29NZx5R
        1 1 5 1 106 281 91 33 95 Abnahme:
        1 1 5 2 310 309 24 28 89 26.
        1 1 5 3 337 317 68 22 94 03.2023
        1 1 6 1 102 325 41 30 93 Test:
        1 1 6 2 300 354 103 34 47 SARS-Coy.2
        1 1 6 3 409 372 33 18 96 PCR
        1 1 7 1 99 370 78 33 77 Ergebnis:
        1 1 7 2 294 398 70 31 44 Positiy
        1 1 8 1 89 414 131 40 37 Berichtsdatum:
        1 1 8 2 291 447 95 25 72 27.03.2023
        """

    /// Returns tesseract's output: each word has a level and a page, and other levels are there too.
    private static func tsv(_ words: String) -> [UInt8] {
        let head = "level\tpage_num\tblock_num\tpar_num\tline_num\tword_num\tleft\ttop\twidth\theight\tconf\ttext\n"
        let page = "1\t1\t0\t0\t0\t0\t0\t0\t1400\t1100\t-1\t\n"
        return Array((head + page + words.split(separator: "\n").map(line).joined()).utf8)
    }

    private static func line(_ word: Substring) -> String {
        "5\t1\t" + word.split(separator: " ").joined(separator: "\t") + "\n"
    }

    @Test("Labels and values of a turned page are put together") func turnedPage() {
        let rows = RecognisedPage.rows(Self.tsv(Self.turned))
        #expect(
            rows.map(\.text) == [
                "Universitatsklinik - Befundbericht", "Name: Jorg Muller", "Geburtsdatum: 12.03.1966",
                "Auftragsnummer: XRSAFT5123", "Entnahme: 16.08.2023", "Test: SARS-CoV-2 Antigentest",
                "Testergebnis: nachgewiesen", "Berichtsdatum: 17.08.2023",
            ])
        #expect(
            ResultText.suggestion(rows)
                == ResultSuggestion(
                    outcome: .positive, testDay: DayText.parse("2023-08-16"), orderNumber: OrderNumber("XRSAFT5123")))
    }

    @Test("Rows of a tilted photo are followed") func tiltedPage() {
        let rows = RecognisedPage.rows(Self.tsv(Self.tilted))
        #expect(
            rows.map(\.text) == [
                "Labor Mitte", "Name: Anna Smith", "Geburtsdatum: 12.07.1975", "Auftrag: SIR29NZx5R",
                "Abnahme: 26. 03.2023", "Test: SARS-Coy.2 PCR", "Ergebnis: Positiy", "Berichtsdatum: 27.03.2023",
            ])
        let found = ResultText.suggestion(rows)
        #expect(found.outcome == .positive)
        #expect(found.testDay == DayText.parse("2023-03-26"))
    }

    @Test(
        "Damaged output gives no rows",
        arguments: [
            "", "x", "5\t1\t1", "5\t1\t1\t1\t1\t1\tx\t0\t1\t1\t90\tA", "5\t1\t1\t1\t1\t1\t0\t0\t1\t1\t-1\tA",
            "5\t1\t1\t1\t1\t1\t0\t0\t1\t1\tnan\tA", "5\t1\t1\t1\t1\t1\t99999999999\t0\t1\t1\t90\tA",
            "5\t1\t1\t1\t1\t1\t0\t0\t1\t1\t90\t ", "4\t1\t1\t1\t1\t1\t0\t0\t1\t1\t90\tA",
        ])
    func damaged(output: String) {
        #expect(RecognisedPage.rows(Array(output.utf8)).isEmpty)
    }

    @Test("Words without a size, and words at one place, are read") func degenerate() {
        let word = "5\t1\t1\t1\t1\t1\t0\t0\t0\t0\t90\tABC\n"
        let rows = RecognisedPage.rows(Array(String(repeating: word, count: 10_000).utf8))
        #expect(rows.count == 1)
        #expect(rows.first?.words.count == 4000)
    }
}
