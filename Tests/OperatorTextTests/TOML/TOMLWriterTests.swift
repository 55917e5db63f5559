import TestValues
import Testing

@testable import OperatorText

@Suite struct TOMLWriterTests {
    @Test func `Keys are sorted, tables follow values, and comments are not kept`() throws {
        let table = try TOMLParser.parse(
            """
            # comment
            b = 1
            a = "x\\ty"
            [z.y]
            when = 2026-12-01T10:00:00+01:00
            "odd key" = [1, 2.5, [true]]
            [[m]]
            n = 1
            [[m]]
            p = { q = 1, r = [] }
            [empty]
            """)
        #expect(
            TOMLWriter.write(table) == """
                a = "x\\ty"
                b = 1

                [empty]

                [[m]]
                n = 1

                [[m]]

                [m.p]
                q = 1
                r = []

                [z.y]
                "odd key" = [1, 2.5, [true]]
                when = 2026-12-01T10:00:00+01:00

                """)
    }

    @Test func `What is written is read as the same document`() throws {
        var generator = SeededGenerator("TOML writer")
        for _ in 0..<TestScale.amount(500, full: 50_000) {
            let table = Self.table(depth: 3, &generator)
            let text = TOMLWriter.write(table)
            let read = try TOMLParser.parse(text)
            #expect(TOMLValue.table(read).isSame(as: .table(table)), "\(text) \(generator.comment)")
            #expect(TOMLWriter.write(read) == text, generator.comment)
        }
    }

    private static func table(depth: Int, _ generator: inout SeededGenerator) -> TOMLTable {
        var table: TOMLTable = [:]
        for _ in 0..<Int.random(in: 0...4, using: &generator) {
            let key = ["a", "b-c", "d_1", "with space", "", "q\"t", "é", "9"].randomElement(using: &generator) ?? "a"
            table[key] = TOMLNode(value: value(depth: depth, &generator), position: TextPosition(line: 1, column: 1))
        }
        return table
    }

    private static func value(depth: Int, _ generator: inout SeededGenerator) -> TOMLValue {
        switch Int.random(in: 0..<(depth > 0 ? 10 : 8), using: &generator) {
        case 0: return .string(["", "a\nb", "\u{7}\u{7F}", "\\\"", "é😀", "'"].randomElement(using: &generator) ?? "")
        case 1: return .integer(Int64.random(in: .min ... .max, using: &generator))
        case 2: return .float(Double(bitPattern: UInt64.random(in: .min ... .max, using: &generator)))
        case 3: return .boolean(.random(using: &generator))
        case 4: return .localDate(TOMLDate(year: 2024, month: 2, day: 29))
        case 5: return .localTime(TOMLTime(hour: 7, minute: 0, second: 60, nanosecond: 5))
        case 6:
            return .offsetDateTime(
                TOMLDate(year: 1, month: 1, day: 1), TOMLTime(hour: 0, minute: 1, second: 2, nanosecond: 0),
                minutesFromUTC: [-90, 0, 1439].randomElement(using: &generator) ?? 0)
        case 7:
            let count = Int.random(in: 0...3, using: &generator)
            return .array(
                (0..<count).map { _ in
                    TOMLNode(value: value(depth: depth - 1, &generator), position: TextPosition(line: 1, column: 1))
                })
        default: return .table(table(depth: depth - 1, &generator))
        }
    }
}
