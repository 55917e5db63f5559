import Testing

@testable import AccuracyBenchmark

@Suite("Tables and figures")
struct FormatTests {
    @Test("Numbers are rounded to their decimals, and what isn't one is a dash")
    func numbers() {
        #expect(Format.number(1.005, 1) == "1.0" && Format.number(-0.25, 3) == "-0.250")
        #expect(Format.number(-0.001, 2) == "0.00" && Format.number(12.6, 0) == "13")
        for value: Double? in [nil, .nan, .infinity, 1e300] { #expect(Format.number(value) == "-") }
        #expect(Format.difference(0.5) == "+0.50" && Format.difference(-0.5) == "-0.50")
    }

    @Test("Radii are names without a point")
    func radii() {
        #expect([1.2, 1.5, 1.8, 2, 3, 6].map(Format.radius) == ["1_2m", "1_5m", "1_8m", "2m", "3m", "6m"])
    }

    @Test("Columns are as wide as their widest cell")
    func table() {
        var table = Table(["name", "n"])
        table.add(["a", "100"])
        #expect(table.text == "name    n\na     100")
    }

    @Test("A figure without a value has no line")
    func figures() {
        var figures = Figures()
        figures.add("a_b", 0.5)
        figures.add("none", nil)
        #expect(figures.lines == ["a_b: 0.5000"])
    }
}
