import OperatorText
import Testing

@Suite struct TextTests {
    @Test(
        "A duration is a number with a unit",
        arguments: [
            ("100ms", Duration.milliseconds(100)), ("1.5s", .milliseconds(1500)), ("30s", .seconds(30)),
            ("5m", .seconds(300)), ("1h", .seconds(3600)), ("0s", .zero),
        ])
    func duration(text: String, duration: Duration) { #expect(DurationText.parse(text) == duration) }

    @Test(
        "Anything else is no duration", arguments: ["", "5", "s", "-1s", "1 s", "1e3s", "1d", ".", "..s", "nans", "٣s"])
    func noDuration(text: String) { #expect(DurationText.parse(text) == nil) }

    @Test("A table's columns are as wide as their widest cell, and lines end with their last character")
    func table() {
        var table = TextTable([("NAME", .left), ("N", .right), ("NOTE", .left)])
        table.add(["a", "1000", ""])
        table.add(["long name", "7", "x"])
        #expect(table.lines == ["NAME          N  NOTE", "a          1000", "long name     7  x"])
    }

    @Test func `A table's cells hold nothing that a terminal obeys`() {
        var table = TextTable([("NAME", .left)])
        table.add(["a\u{1B}[2J\nb\u{9B}c\u{202E}d Zürich"])
        #expect(table.lines == ["NAME", "a?[2J?b?c?d Zürich"])
    }

    @Test(
        "Joiners are shown between letters that are spelled with them, and nothing else that is invisible",
        arguments: [
            ("\u{639}\u{644}\u{6CC}\u{200C}\u{631}\u{636}\u{627}", true),
            ("\u{915}\u{94D}\u{200D}\u{937}", true), ("\u{9B0}\u{200D}\u{9CD}\u{9AF}", true),
            ("Ann\u{200C}a", false), ("\u{200C}\u{631}", false), ("\u{631}\u{200C}", false),
            ("\u{631}\u{200C}\u{200C}\u{636}", false), ("\u{631}\u{200C} \u{636}", false),
            ("\u{631}\u{200B}\u{636}", false), ("\u{631}\u{202E}\u{636}", false),
            ("\u{631}\u{200E}\u{636}", false),
        ])
    func joiners(text: String, isShown: Bool) { #expect((text.shown(upTo: .max) == text) == isShown) }

    @Test func `A text is cut to its first characters`() {
        #expect("abc".shown(upTo: 3) == "abc" && "abcd".shown(upTo: 3) == "abc..." && "a".shown(upTo: 0) == "...")
    }

    @Test func `A text of several lines keeps them, and nothing else that a terminal obeys`() {
        #expect("error: a\u{1B}[2J\n  b\rc".shownInLines == "error: a?[2J\n  b?c")
    }

    @Test func `JSON for a terminal says the same, with what a terminal obeys escaped`() {
        let json = Array(#"{"a":"Zürich \#u{9B}2J\#u{202E}\#u{7F}😀"}"#.utf8)
        #expect(
            String(decoding: json.terminalJSON, as: UTF8.self)
                == #"{"a":"Zürich \u009b2J\u202e\u007f😀"}"#)
    }

    @Test(
        "Numbers are rounded to fixed digits",
        arguments: [
            (1.25, 1, "1.3"), (0.04, 1, "0.0"), (-0.04, 1, "0.0"), (-1.5, 0, "-2"), (12, 2, "12.00"), (.nan, 1, "?"),
        ])
    func fixed(value: Double, digits: Int, text: String) { #expect(Format.fixed(value, digits) == text) }
}
