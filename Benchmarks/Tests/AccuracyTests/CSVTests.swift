import Testing

@testable import AccuracyBenchmark

@Suite("Comma-separated values")
struct CSVTests {
    @Test("A comma and a doubled quotation mark in a quoted field belong to it")
    func quoted() {
        #expect(CSV.fields(#"1,"large room,center",,"says ""no""""#) == ["1", "large room,center", "", #"says "no""#])
        #expect(CSV.fields("a,,b,") == ["a", "", "b", ""])
    }

    @Test("A quotation that doesn't end and too many fields are refused")
    func refused() {
        #expect(CSV.fields(#"1,"2"#) == nil)
        #expect(CSV.fields(String(repeating: ",", count: CSV.mostFields)) == nil)
    }

    @Test("Only finite numbers are numbers")
    func numbers() {
        #expect(CSV.number(" -67.5 ") == -67.5)
        #expect(CSV.number("1.627997452227e+18") == 1.627997452227e18)
        for text: Substring in ["", " ", "nan", "inf", "-67dBm"] { #expect(CSV.number(text) == nil) }
    }

    @Test("Rows that aren't like the header are counted and passed over")
    func malformed() throws {
        let folder = try TemporaryFolder()
        let path = try folder.write("t.csv", "a,b\r\n1,2\r\n1\n1,2,3\n\n\"4\",x\n5,6")
        var sums: [Double] = []
        let table = try #require(
            CSVTable(path, needed: ["b"]) { row in
                guard let a = row.number("a"), let b = row.number("b") else { return false }
                sums.append(a + b)
                return true
            })
        #expect(sums == [3, 11])
        #expect(table.rows == 5 && table.malformed == 3)
    }

    @Test("A file without a needed column, and one that isn't there, are no tables")
    func absent() throws {
        let folder = try TemporaryFolder()
        let path = try folder.write("t.csv", "a,b\n1,2\n")
        let other = CSVTable(path, needed: ["c"]) { _ in true }
        let absent = CSVTable(path + ".no", needed: []) { _ in true }
        #expect(other == nil && absent == nil)
    }

    @Test("A line that is too long is passed over and counted, and those around it are read")
    func overlong() throws {
        let folder = try TemporaryFolder()
        let long = String(repeating: "x", count: 700_000)
        let path = try folder.write("t.txt", "first\n\(long)\nlast")
        guard var reader = LineReader(path) else {
            Issue.record("the file can't be opened")
            return
        }
        var lines: [String] = []
        while let line = reader.next() { lines.append(line) }
        let overlong = reader.overlong
        #expect(lines == ["first", "last"])
        #expect(overlong == 1)
    }
}
