import OperatorText
import Testing

@Suite struct CSVLineTests {
    @Test(
        "A spreadsheet reads a cell as it was",
        arguments: [
            ("plain", "plain"), ("", ""), ("a,b", "\"a,b\""), ("a;b", "\"a;b\""), ("say \"x\"", "\"say \"\"x\"\"\""),
            ("two\nlines", "\"two\nlines\""), (" space", "\" space\""), ("a=b", "a=b"),
        ])
    func cell(text: String, written: String) {
        #expect(CSVLine.text([text, "x"]) == written + ",x")
    }

    @Test(
        "A formula of outside isn't one in a spreadsheet",
        arguments: [
            ("=1+1", "'=1+1"), ("+1", "'+1"), ("-1", "'-1"), ("@SUM(A1)", "'@SUM(A1)"),
            ("=A1,\"x\"", "\"'=A1,\"\"x\"\"\""),
            ("\u{FF1D}1+1", "'\u{FF1D}1+1"), ("\u{FF0B}1", "'\u{FF0B}1"), ("\u{FF0D}1", "'\u{FF0D}1"),
            ("\u{FF20}A1", "'\u{FF20}A1"), ("\u{2212}1", "'\u{2212}1"), (" =1", "' =1"), ("\u{3000}=1", "'\u{3000}=1"),
            ("\u{FEFF}=1", "'\u{FEFF}=1"), ("\u{200B}\u{202E}=1", "'\u{200B}\u{202E}=1"), ("\n=1", "\"'\n=1\""),
            ("\t=1", "'\t=1"), ("\r=1", "\"'\r=1\""),
        ])
    func formula(text: String, written: String) {
        #expect(CSVLine.text([text]) == written)
    }

    @Test func `What was written is read again`() {
        // A quote with a combining mark is one character, and still ends a cell.
        let cells = ["a", "b,c", "d \"e\"", "f\ng", "", "h,\"\u{308}"]
        #expect(CSVText(CSVLine.text(cells) + "\n").records.map(\.cells) == [cells])
    }
}
