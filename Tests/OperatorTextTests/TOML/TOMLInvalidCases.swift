import OperatorText

/// Texts that are not TOML 1.0, with the position and kind of their first mistake.
enum TOMLInvalidCases {
    struct Case: Sendable {
        var text: String
        var line: Int
        var column: Int
        var mistake: TOMLMistake

        init(_ text: String, _ line: Int, _ column: Int, _ mistake: TOMLMistake) {
            self.text = text
            self.line = line
            self.column = column
            self.mistake = mistake
        }
    }

    private static let lineEnd = "the end of the line"
    private static let fileEnd = "the end of the file"

    private static func at(_ line: Int, _ column: Int) -> TextPosition { TextPosition(line: line, column: column) }

    static let lines: [Case] = [
        Case("a = 1 b = 2", 1, 7, .unexpected(found: "\"b\"", expected: .lineEnd)),
        Case("a = 1\n\nb = 2, c = 3", 3, 6, .unexpected(found: "\",\"", expected: .lineEnd)),
        Case("[a] b = 1", 1, 5, .unexpected(found: "\"b\"", expected: .lineEnd)),
        Case("[[a]] x", 1, 7, .unexpected(found: "\"x\"", expected: .lineEnd)),
        Case("a = 1\rb = 2", 1, 6, .unexpected(found: "the control character U+000D", expected: .lineEnd)),
        Case("# a\u{0}", 1, 4, .controlCharacter("\u{0}")),
        Case("a = 1 # \u{7F}", 1, 9, .controlCharacter("\u{7F}")),
        Case("# a\rb", 1, 4, .controlCharacter("\r")),
        Case("a = 1\u{B}", 1, 6, .unexpected(found: "the control character U+000B", expected: .lineEnd)),
        Case("a = \"x\" 'y'", 1, 9, .unexpected(found: "\"'\"", expected: .lineEnd)),
        Case("a = \"\"\"x\"\"\"\"\"\"", 1, 14, .unexpected(found: "\"\"\"", expected: .lineEnd)),
        Case("a = [1]]", 1, 8, .unexpected(found: "\"]\"", expected: .lineEnd)),
        Case("é = 1", 1, 1, .unexpected(found: "\"é\"", expected: .key)),
        Case("a = 1\n\u{FEFF}b = 1", 2, 1, .unexpected(found: "\"?\"", expected: .key)),
    ]

    static let keys: [Case] = [
        Case("a", 1, 2, .unexpected(found: fileEnd, expected: .equals)),
        Case("a\n= 1", 1, 2, .unexpected(found: lineEnd, expected: .equals)),
        Case("a b = 1", 1, 3, .unexpected(found: "\"b\"", expected: .equals)),
        Case("a: 1", 1, 2, .unexpected(found: "\":\"", expected: .equals)),
        Case("= 1", 1, 1, .unexpected(found: "\"=\"", expected: .key)),
        Case("a. = 1", 1, 4, .unexpected(found: "\"=\"", expected: .key)),
        Case(".a = 1", 1, 1, .unexpected(found: "\".\"", expected: .key)),
        Case("a..b = 1", 1, 3, .unexpected(found: "\".\"", expected: .key)),
        Case("a.\nb = 1", 1, 3, .unexpected(found: lineEnd, expected: .key)),
        Case("\"a\nb\" = 1", 1, 1, .unterminatedString),
        Case("\"\"\"a\"\"\" = 1", 1, 3, .unexpected(found: "\"\"\"", expected: .equals)),
        Case("'é' x = 1", 1, 5, .unexpected(found: "\"x\"", expected: .equals)),
        Case("a = 1\na = 2", 2, 1, .duplicateKey("a", first: at(1, 1))),
        Case("a = 1\n\"a\" = 2", 2, 1, .duplicateKey("a", first: at(1, 1))),
        Case("b.a = 1\nb . a = 2", 2, 5, .duplicateKey("a", first: at(1, 3))),
        Case("a.b = 1\na = 2", 2, 1, .duplicateKey("a", first: at(1, 1))),
        Case("a = 1\na.b = 2", 2, 1, .closed("a", kind: "a whole number", first: at(1, 1))),
        Case("a.b = []\na.b.c = 2", 2, 3, .closed("b", kind: "a list in brackets", first: at(1, 3))),
        Case("[t]\nx = 1\n[u]\nx = 1\nx = 2", 5, 1, .duplicateKey("x", first: at(4, 1))),
        Case("a+b = 1", 1, 2, .unexpected(found: "\"+\"", expected: .equals)),
        Case("\u{1}a = 1", 1, 1, .unexpected(found: "the control character U+0001", expected: .key)),
    ]

    static let strings: [Case] = [
        Case("a = \"x", 1, 5, .unterminatedString),
        Case("a = \"x\nb = 1", 1, 5, .unterminatedString),
        Case("a = 'x\r\n'", 1, 5, .unterminatedString),
        Case("a = \"x\\\"", 1, 5, .unterminatedString),
        Case("a = \"\"\"x\n\"\"", 1, 5, .unterminatedString),
        Case("a = '''x\n\n''", 1, 5, .unterminatedString),
        Case("a = \"é\\x41\"", 1, 7, .unknownEscape("\\x")),
        Case("a = \"\\e\"", 1, 6, .unknownEscape("\\e")),
        Case("a = \"\\ \"", 1, 6, .unknownEscape("\\ ")),
        Case("a = \"\"\"\nab\\ c\"\"\"", 2, 3, .unknownEscape("\\ ")),
        Case("a = \"\\", 1, 6, .unknownEscape("\\")),
        Case("a = \"\\u00g0\"", 1, 6, .notACodePoint("\\u00")),
        Case("a = \"\\uD800\"", 1, 6, .notACodePoint("\\uD800")),
        Case("a = \"\\U00110000\"", 1, 6, .notACodePoint("\\U00110000")),
        Case("a = \"\\U0001F60\"", 1, 6, .notACodePoint("\\U0001F60")),
        Case("a = \"\\u00", 1, 6, .notACodePoint("\\u00")),
        Case("a = \"x\u{0}\"", 1, 7, .controlCharacter("\u{0}")),
        Case("a = 'x\u{1F}'", 1, 7, .controlCharacter("\u{1F}")),
        Case("a = '''\nx\ry'''", 2, 2, .controlCharacter("\r")),
        Case("a = \"\"\"\n\u{7F}\"\"\"", 2, 1, .controlCharacter("\u{7F}")),
        Case("a = \"👩‍👩‍👧e\u{301}\u{8}\"", 1, 8, .controlCharacter("\u{8}")),
        Case("a = “x”", 1, 5, .unexpected(found: "\"“\"", expected: .value)),
    ]

    static let numbers: [Case] = [
        Case("a =", 1, 4, .unexpected(found: fileEnd, expected: .value)),
        Case("a = \n1", 1, 5, .unexpected(found: lineEnd, expected: .value)),
        Case("a = # 1", 1, 5, .unexpected(found: "\"#\"", expected: .value)),
        Case("site = = 1", 1, 8, .unexpected(found: "\"=\"", expected: .value)),
        Case("a = A", 1, 5, .bareWord("A")),
        Case("a = True", 1, 5, .bareWord("True")),
        Case("a = Inf", 1, 5, .bareWord("Inf")),
        Case("a = gw-3a", 1, 5, .bareWord("gw-3a")),
        Case("a = /dev/x", 1, 5, .unexpected(found: "\"/\"", expected: .value)),
        Case("a = 01", 1, 5, .malformedNumber("01")),
        Case("a = -01", 1, 5, .malformedNumber("-01")),
        Case("a = 1__0", 1, 5, .malformedNumber("1__0")),
        Case("a = 1_", 1, 5, .malformedNumber("1_")),
        Case("a = _1", 1, 5, .bareWord("_1")),
        Case("a = +_1", 1, 5, .malformedNumber("+_1")),
        Case("a = ++1", 1, 5, .malformedNumber("++1")),
        Case("a = 0x", 1, 5, .malformedNumber("0x")),
        Case("a = 0xg", 1, 5, .malformedNumber("0xg")),
        Case("a = +0x1", 1, 5, .malformedNumber("+0x1")),
        Case("a = 0X1", 1, 5, .malformedNumber("0X1")),
        Case("a = 0o8", 1, 5, .malformedNumber("0o8")),
        Case("a = 0b2", 1, 5, .malformedNumber("0b2")),
        Case("a = 0x_1", 1, 5, .malformedNumber("0x_1")),
        Case("a = 9223372036854775808", 1, 5, .numberOutOfRange("9223372036854775808")),
        Case("a = -9223372036854775809", 1, 5, .numberOutOfRange("-9223372036854775809")),
        Case("a = 0x8000000000000000", 1, 5, .numberOutOfRange("0x8000000000000000")),
        Case("a = 1e999", 1, 5, .numberOutOfRange("1e999")),
        Case("a = .5", 1, 5, .malformedNumber(".5")),
        Case("a = 5.", 1, 5, .malformedNumber("5.")),
        Case("a = 5.e1", 1, 5, .malformedNumber("5.e1")),
        Case("a = 1.2.3", 1, 5, .malformedNumber("1.2.3")),
        Case("a = 1e", 1, 5, .malformedNumber("1e")),
        Case("a = 1e+", 1, 5, .malformedNumber("1e+")),
        Case("a = 1e1.5", 1, 5, .malformedNumber("1e1.5")),
        Case("a = 1._5", 1, 5, .malformedNumber("1._5")),
        Case("a = 03.14", 1, 5, .malformedNumber("03.14")),
        Case("a = 30s", 1, 5, .malformedNumber("30s")),
        Case("a = +-inf", 1, 5, .malformedNumber("+-inf")),
        Case("a = 1 000", 1, 7, .unexpected(found: "\"0\"", expected: .lineEnd)),
        Case("a = 1,5", 1, 6, .unexpected(found: "\",\"", expected: .lineEnd)),
    ]

    static let times: [Case] = [
        Case("a = 2026-13-01", 1, 5, .malformedDate("2026-13-01")),
        Case("a = 2026-00-01", 1, 5, .malformedDate("2026-00-01")),
        Case("a = 2026-02-29", 1, 5, .malformedDate("2026-02-29")),
        Case("a = 1900-02-29", 1, 5, .malformedDate("1900-02-29")),
        Case("a = 2026-04-31", 1, 5, .malformedDate("2026-04-31")),
        Case("a = 2026-1-01", 1, 5, .malformedDate("2026-1-01")),
        Case("a = 2026-01-01T", 1, 5, .malformedDate("2026-01-01T")),
        Case("a = 2026-01-01T24:00:00", 1, 5, .malformedDate("2026-01-01T24:00:00")),
        Case("a = 2026-01-01 07:60:00", 1, 5, .malformedDate("2026-01-01 07:60:00")),
        Case("a = 2026-01-01T07:00:61Z", 1, 5, .malformedDate("2026-01-01T07:00:61Z")),
        Case("a = 2026-01-01T07:00", 1, 5, .malformedDate("2026-01-01T07:00")),
        Case("a = 2026-01-01T07:00:00.Z", 1, 5, .malformedDate("2026-01-01T07:00:00.Z")),
        Case("a = 2026-01-01T07:00:00+24:00", 1, 5, .malformedDate("2026-01-01T07:00:00+24:00")),
        Case("a = 2026-01-01T07:00:00+1:00", 1, 5, .malformedDate("2026-01-01T07:00:00+1:00")),
        Case("a = 2026-01-01Z", 1, 5, .malformedDate("2026-01-01Z")),
        Case("a = 2026-01-01_07:00:00", 1, 5, .malformedDate("2026-01-01_07:00:00")),
        Case("a = 07:00", 1, 5, .malformedDate("07:00")),
        Case("a = 07:00:00Z", 1, 5, .malformedDate("07:00:00Z")),
        Case("a = 7:00:00", 1, 5, .malformedNumber("7:00:00")),
        Case("a = 2026-01-01  07:00:00", 1, 17, .unexpected(found: "\"0\"", expected: .lineEnd)),
    ]

    static let arrays: [Case] = [
        Case("a = [", 1, 6, .unexpected(found: fileEnd, expected: .value)),
        Case("a = [1", 1, 7, .unexpected(found: fileEnd, expected: .arrayEnd)),
        Case("a = [1 2]", 1, 8, .unexpected(found: "\"2\"", expected: .arrayEnd)),
        Case("a = [\n1,\n2\n3]", 4, 1, .unexpected(found: "\"3\"", expected: .arrayEnd)),
        Case("a = [,]", 1, 6, .unexpected(found: "\",\"", expected: .value)),
        Case("a = [1,,2]", 1, 8, .unexpected(found: "\",\"", expected: .value)),
        Case("a = [}]", 1, 6, .unexpected(found: "\"}\"", expected: .value)),
        Case("a = [1\n[b]", 2, 1, .unexpected(found: "\"[\"", expected: .arrayEnd)),
        Case("a = [\"x\", y]", 1, 11, .bareWord("y")),
        Case("a = [ # \u{0}\n]", 1, 9, .controlCharacter("\u{0}")),
        Case("a = ['é', \"👍🏽\", \u{2028}]", 1, 16, .unexpected(found: "\"?\"", expected: .value)),
    ]

    static let tables: [Case] = [
        Case("[", 1, 2, .unexpected(found: fileEnd, expected: .key)),
        Case("[]", 1, 2, .unexpected(found: "\"]\"", expected: .key)),
        Case("[a", 1, 3, .unexpected(found: fileEnd, expected: .bracket)),
        Case("[a\n]", 1, 3, .unexpected(found: lineEnd, expected: .bracket)),
        Case("[a.]", 1, 4, .unexpected(found: "\"]\"", expected: .key)),
        Case("[a b]", 1, 4, .unexpected(found: "\"b\"", expected: .bracket)),
        Case("[a]]", 1, 4, .unexpected(found: "\"]\"", expected: .lineEnd)),
        Case("[[a]", 1, 5, .unexpected(found: fileEnd, expected: .brackets)),
        Case("[[device]\n", 1, 10, .unexpected(found: lineEnd, expected: .brackets)),
        Case("[[a] ]", 1, 5, .unexpected(found: "\" \"", expected: .brackets)),
        Case("[ [a]]", 1, 3, .unexpected(found: "\"[\"", expected: .key)),
        Case("[[[a]]]", 1, 3, .unexpected(found: "\"[\"", expected: .key)),
        Case("[=]", 1, 2, .unexpected(found: "\"=\"", expected: .key)),
        Case("[a]\nb = 1\n[a]", 3, 2, .duplicateTable("a", first: at(1, 2))),
        Case("[a.b]\n[ a . b ]", 2, 7, .duplicateTable("b", first: at(1, 4))),
        Case("[a.b]\n[a]\n[a]", 3, 2, .duplicateTable("a", first: at(2, 2))),
        Case("a.b = 1\n[a]", 2, 2, .duplicateTable("a", first: at(1, 1))),
        Case("a = 1\n[a]", 2, 2, .duplicateTable("a", first: at(1, 1))),
        Case("a = 1\n[a.b]", 2, 2, .closed("a", kind: "a whole number", first: at(1, 1))),
        Case("[f]\nx.y = 1\n[f.x]", 3, 4, .duplicateTable("x", first: at(2, 1))),
        Case("[a.b.c]\nz = 9\n[a]\nb.c.t = 1", 4, 3, .duplicateTable("c", first: at(1, 6))),
        Case("[a.b.c.d]\n[a]\nb.c.d.k.t = 1", 3, 5, .duplicateTable("d", first: at(1, 8))),
        Case("[[a.b]]\n[a]\nb.y = 2", 3, 1, .closed("b", kind: "a list of tables", first: at(1, 5))),
        Case("[a.b]\n[a]\nb = 1", 3, 1, .duplicateKey("b", first: at(1, 4))),
        Case("[[a]]\n[a]", 2, 2, .duplicateTable("a", first: at(1, 3))),
        Case("[a]\n[[a]]", 2, 3, .notAnArrayOfTables("a", kind: "a table", first: at(1, 2))),
        Case("[a.b]\n[[a]]", 2, 3, .notAnArrayOfTables("a", kind: "a table", first: at(1, 2))),
        Case("a = []\n[[a]]", 2, 3, .notAnArrayOfTables("a", kind: "a list in brackets", first: at(1, 1))),
        Case("a = [{}]\n[a.b]", 2, 2, .closed("a", kind: "a list in brackets", first: at(1, 1))),
        Case("[[a]]\nb.c = 1\n[[a.b]]", 3, 5, .notAnArrayOfTables("b", kind: "a table", first: at(2, 1))),
    ]

    static let inlineTables: [Case] = [
        Case("a = {", 1, 6, .unexpected(found: fileEnd, expected: .key)),
        Case("a = {b", 1, 7, .unexpected(found: fileEnd, expected: .equals)),
        Case("a = {b = 1", 1, 11, .unexpected(found: fileEnd, expected: .tableEnd)),
        Case("a = {b = 1,}", 1, 12, .unexpected(found: "\"}\"", expected: .key)),
        Case("a = {,}", 1, 6, .unexpected(found: "\",\"", expected: .key)),
        Case("a = {b = 1 c = 2}", 1, 12, .unexpected(found: "\"c\"", expected: .tableEnd)),
        Case("a = {\nb = 1}", 1, 6, .unexpected(found: lineEnd, expected: .key)),
        Case("a = {b = 1\n}", 1, 11, .unexpected(found: lineEnd, expected: .tableEnd)),
        Case("a = {b = 1 # c\n}", 1, 12, .unexpected(found: "\"#\"", expected: .tableEnd)),
        Case("a = {b = 1, b = 2}", 1, 13, .duplicateKey("b", first: at(1, 6))),
        Case("a = {b = {}, b.c = 1}", 1, 14, .closed("b", kind: "a table in braces", first: at(1, 6))),
        Case("a = {b.c = 1, b = 2}", 1, 15, .duplicateKey("b", first: at(1, 6))),
        Case("a = {b = 1}\na.c = 2", 2, 1, .closed("a", kind: "a table in braces", first: at(1, 1))),
        Case("a = {}\n[a]", 2, 2, .duplicateTable("a", first: at(1, 1))),
        Case("a = {b = {}}\n[a.b.c]", 2, 2, .closed("a", kind: "a table in braces", first: at(1, 1))),
        Case("a = {}\n[[a.b]]", 2, 3, .closed("a", kind: "a table in braces", first: at(1, 1))),
        Case("a = {[b] = 1}", 1, 6, .unexpected(found: "\"[\"", expected: .key)),
    ]

    static let all = lines + keys + strings + numbers + times + arrays + tables + inlineTables
}
