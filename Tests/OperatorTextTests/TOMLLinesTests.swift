import OperatorText
import Testing

@Suite struct TOMLLinesTests {
    private let lines = TOMLLines(
        "# head\r\n[[a]]\r\nx = 1\n\n  [[b]]\n\txy=2\n  x\t= 3\n[[a]] # second\ny = \"[[a]]\"\n[c]\nx = 1")

    @Test(
        "Tables of a list and their keys have the line where they begin",
        arguments: [
            ("a[0]", 2), ("a[0].x", 3), ("b[0]", 5), ("b[0].xy", 6), ("b[0].x", 7), ("a[1]", 8), ("a[1].y", 9),
        ])
    func found(path: String, line: Int) { #expect(lines.line(of: path) == line) }

    @Test("A key that isn't there has the line of its table", arguments: [("a[1].x", 8), ("a[0].y", 2)])
    func missing(path: String, line: Int) { #expect(lines.line(of: path) == line) }

    @Test(
        "What isn't there has the line of the list or table in which it would be",
        arguments: [("a", 2), ("a[2]", 2), ("a[-1]", 2), ("a[9999999999999999999].x", 2), ("c.x", 11), ("c.y", 10)])
    func enclosing(path: String, line: Int) { #expect(lines.line(of: path) == line) }

    @Test("A text that looks like a header of thousands of parts takes no time that grows with their square")
    func longHeader() {
        let header = Array(repeating: "a", count: 200_000).joined(separator: ".")
        let lines = TOMLLines("[[x]]\n[" + header + "]\n[b]\n")
        #expect(lines.line(of: "b") == 3)
        #expect(lines.line(of: header + ".x") == 2)
    }

    @Test("What is nowhere has none", arguments: ["", "d[0]", "]a[", "line 2, column 3"])
    func notFound(path: String) { #expect(lines.line(of: path) == nil) }
}
