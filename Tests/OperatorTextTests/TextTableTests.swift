import OperatorText
import Testing

@Suite struct TextTableTests {
    private static func table() -> TextTable {
        var table = TextTable([
            ("SUBJECT", .left), ("FROM", .left), ("MINUTES", .right), ("FOUND BY", .left), ("RISK", .left),
        ])
        table.add(["badge:7", "2026-11-02 09:30", "12.5", "distance and company", "high, as the policy says"])
        table.add(["phone:学生", "2026-11-02 10:00", "7.0", "", "none"])
        return table
    }

    @Test("A table that fits has one line per row, at 120 characters as without a terminal")
    func wide() {
        let lines = [
            "SUBJECT     FROM              MINUTES  FOUND BY              RISK",
            "badge:7     2026-11-02 09:30     12.5  distance and company  high, as the policy says",
            "phone:学生  2026-11-02 10:00      7.0                        none",
        ]
        #expect(Self.table().lines(width: 120) == lines)
        #expect(Self.table().lines == lines)
    }

    @Test("In 80 characters the widest columns wrap at words")
    func narrow() {
        #expect(
            Self.table().lines(width: 80) == [
                "SUBJECT     FROM              MINUTES  FOUND BY             RISK",
                "badge:7     2026-11-02 09:30     12.5  distance and         high, as the policy",
                "                                       company              says",
                "phone:学生  2026-11-02 10:00      7.0                       none",
            ])
    }

    @Test("In 40 characters the last columns are below the row, with their titles")
    func below() {
        #expect(
            Self.table().lines(width: 40) == [
                "SUBJECT     FROM              MINUTES",
                "badge:7     2026-11-02 09:30     12.5",
                "    FOUND BY: distance and company",
                "    RISK: high, as the policy says",
                "phone:学生  2026-11-02 10:00      7.0",
                "    RISK: none",
            ])
    }

    @Test("Every cell is whole, and no line is longer than the terminal", arguments: [1, 10, 20, 40, 80, 120, 1000])
    func whole(width: Int) {
        var table = TextTable([("A", .left), ("B", .right), ("C", .left)])
        let cells = [
            "badge:e2c56db5-dffb-48d2-b060-d0f5a71096e0/3/1", "1234567890123456", "日本語のとても長い説明です e\u{301}e\u{301} fin",
        ]
        table.add(cells)
        let lines = table.lines(width: width)
        #expect(lines.allSatisfy { $0.displayWidth <= max(width, 10) }, "\(lines)")
        if width == 1000 { #expect(lines.count == 2) }
        // Cells side by side are mixed in the order of lines; in one column or below, they are in one piece.
        let shown = lines.joined().filter { $0 != " " }
        for cell in cells {
            for character in Set(cell) where character != " " {
                #expect(shown.count { $0 == character } >= cell.count { $0 == character }, "\(character)")
            }
        }
    }

    @Test("Rows have their lines apart, for colours and for what follows them")
    func blocks() {
        #expect(Self.table().blocks(width: 40).map(\.count) == [1, 3, 2])
        #expect(Self.table().blocks(width: nil).map(\.count) == [1, 1, 1])
    }

    @Test(
        "Wide characters take two cells, combining ones none",
        arguments: [
            ("abc", 3), ("", 0), ("日本", 4), ("e\u{301}", 1), ("é", 1), ("👍🏽", 2), ("👩‍👩‍👧", 2), ("ｆ", 2), ("ｱ", 1),
            ("한글", 4), ("—", 1),
        ])
    func displayWidth(text: String, width: Int) { #expect(text.displayWidth == width) }

    @Test(
        "A text is broken at spaces, and words that are too long anywhere",
        arguments: [
            ("one two three", 7, ["one two", "three"]), ("abcdefgh ij", 3, ["abc", "def", "gh", "ij"]),
            ("日本語", 4, ["日本", "語"]), ("日本", 1, ["日", "本"]), ("a b", 3, ["a b"]), ("", 5, [""]),
            ("e\u{301}e\u{301}e\u{301}", 2, ["e\u{301}e\u{301}", "e\u{301}"]),
        ])
    func wrapped(text: String, width: Int, lines: [String]) { #expect(text.wrapped(to: width) == lines) }

    @Test("Rows that come one by one keep their columns, and what is too long for its column goes on below")
    func streamed() {
        let columns: [TableLayout.Column] = [
            .init("TIME", width: 8), .init("WHO", width: 10, leastWidth: 5), .init("N", .right, width: 4),
        ]
        let narrow = TableLayout(columns, width: 21)
        #expect(narrow.titles == ["TIME      WHO       N"])
        #expect(narrow.row(["09:00:00", "door hall", "7"]) == ["09:00:00  door      7", "          hall"])
        let free = TableLayout(columns, width: nil)
        #expect(free.row(["09:00:00", "door", "7"]) == ["09:00:00  door           7"])
    }
}
