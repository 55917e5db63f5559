import OperatorText
import Testing

@Suite struct TOMLPrecheckTests {
    private func problems(_ text: String) -> [String] {
        let problems = TOMLReader.Problems()
        _ = TOMLReader(text, problems: problems)
        return problems.all.map(\.description)
    }

    @Test(
        "A header without a name, over which the library would end the process, is an error with its line",
        arguments: [
            ("[[[a]]]", 1), ("[=]", 1), ("[[=", 1), ("[ # no name", 1), ("[[\n", 1), ("  [\u{1F600}]", 1),
            ("\t[ \t,", 1), ("[\r\na", 1), ("a = [1]\n[.a]", 2), ("a = \"\"\"\n[=]\"\"\"\"\n[=]", 3),
            ("a = '''\n\\'''\n[=]", 3),
        ])
    func headers(text: String, line: Int) {
        #expect(problems(text) == ["line \(line): no name follows the bracket; must be [name] or [[name]]"])
    }

    @Test(
        "An element that can't begin, over which the library would end the process, is an error with its line",
        arguments: [
            ("[}]", 1), ("[1, }", 1), ("[ # c ]\r\n }", 2), ("[[1], [}]]", 1), ("[{ a = [ } ] }]", 1),
            ("[\u{2028}", 1), ("['}', \"\\\"]\", \u{85}", 1),
        ])
    func elements(list: String, line: Int) {
        let expected = "line \(line): no element of the list follows; must be a value, or ] at its end"
        #expect(problems("a = " + list) == [expected])
    }

    @Test(
        "A date or time, over parts of which the library would end the process, is an error with its line",
        arguments: [
            "2026-11-20", "2026-11-20T", "2026-11-20 x", "07:32:", "[1, 07:32:00]", "{ b = 2026-11-20T07:32:0 }",
        ])
    func dates(value: String) {
        let expected = "line 2: found a date or time; must be a number, or a string in quotes"
        #expect(problems("2026-11-20 = 1e-5\na = " + value) == [expected])
    }

    private static func key(parts: Int) -> String { Array(repeating: "a", count: parts).joined(separator: ".") }

    @Test(
        "A key or header of so many parts that taking it apart would overrun the stack is an error with its line",
        arguments: [
            ("", " = 1"), ("[", "]"), ("[[", "]]"), ("[[ b . \"c.d\".'e.f'.", " ]] # g.h"),
            ("x = { y = 1.5, ", " = 1 }"),
            ("x = [{ ", " = 1 }]"), ("x = 1.5\n", ".\"=.\" = 1.5"),
        ])
    func parts(before: String, after: String) {
        let mistakes = problems("\n" + before + Self.key(parts: 50_000) + after)
        #expect(mistakes.count == 1)
        #expect(mistakes.first?.contains(": found a key of 5000") == true, "\(mistakes)")
        #expect(mistakes.first?.hasPrefix(before.contains("\n") ? "line 3: " : "line 2: ") == true, "\(mistakes)")
        #expect(mistakes.first?.hasSuffix(" parts; must have 32 at most") == true, "\(mistakes)")
    }

    @Test(
        "Lists and tables within each other are bounded, with the line",
        arguments: [("a = ", "[", "]"), ("a = ", "{ a = ", "}"), ("a = [\n", "[", "]")])
    func depth(start: String, open: String, close: String) {
        let text = start + String(repeating: open, count: 33) + "1" + String(repeating: close, count: 33)
        let line = start.contains("\n") ? 2 : 1
        #expect(problems(text) == ["line \(line): has 33 lists and tables within each other; must have 32 at most"])
    }

    @Test("A key, a header and nested values at their bounds pass")
    func bounds() {
        let key = Self.key(parts: 32)
        let lists = String(repeating: "[", count: 31) + String(repeating: "]", count: 31)
        #expect(
            problems("[" + key + "]\n" + key + " = { " + key + " = " + lists + " }\n[[b." + Self.key(parts: 31) + "]]")
                == [])
    }

    @Test(
        "What is TOML passes, whatever its strings and comments hold",
        arguments: [
            "[a]", "[ a ]", "[[ a ]]", "['[=]']", "[\"a\".b]", "a = [[[1]]]", "a = \"[=\"", "[_]", "[-]", "[1]",
            "\u{FEFF}[a]", "a = \"\"\"\n[=]\n\"\"\"", "a = '''\n[[[\n'''", "a = \"\"\"\"\"\"", "a = ''", "a = []",
            "a = [\n[1],\n['}'], # }\n]", "a = [{}, { b = 1 }, ]", "a = \"\\\"\"\n[b]", "a = \"\"\"x\"\"\"\"\"\n[b]",
            "a = \"\"\"\\\"\"\"\"\n[b]", "# [=]\na = 1 # [=]", "a = -1.5E-3", "a = +inf", "a-1 = 0x1f", "",
            "\r\n\t[a]\r\n",
        ])
    func good(text: String) { #expect(problems(text) == []) }

    @Test(
        "What else is wrong is left to the library", arguments: ["[", "[]", "[ [a]]", "a = }", "a = [,]", "a = \"[="])
    func library(text: String) {
        #expect(TOMLPrecheck.firstMistake(in: text) == nil)
        #expect(problems(text).count == 1)
    }
}
