import Testing

@testable import MatcherDaemon

@Suite("Parts of a table") struct TablePartTests {
    @Test("Behind the last row the last part of the table is shown") func end() {
        let asked = [
            ("0", 7), ("9999", 7), ("100", 250), ("9999", 250), ("200", 200), ("-5", 7), ("9999", 0), ("x", 7),
        ]
        #expect(
            asked.map { TablePart(asked: $0.0, of: $0.1, most: 100).range } == [
                0..<7, 0..<7, 100..<200, 200..<250, 100..<200, 0..<7, 0..<0, 0..<7,
            ])
    }

    @Test("Each part but the last leads to the next one") func next() {
        #expect(TablePart(asked: nil, of: 250, most: 100).next == 100)
        #expect(TablePart(asked: "100", of: 250, most: 100).next == 200)
        #expect(TablePart(asked: "200", of: 250, most: 100).next == nil)
        #expect(TablePart(asked: nil, of: 0, most: 100).next == nil)
    }

    @Test("The sentence says which rows are shown, or how many there are") func extent() {
        #expect(TablePart(asked: "100", of: 250, most: 100).extent("Spots") == "Spots 101 to 200 of 250.")
        #expect(TablePart(asked: nil, of: 3, most: 100).extent("Spots") == "Spots: 3.")
    }
}
