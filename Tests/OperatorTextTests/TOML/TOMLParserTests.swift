import TestValues
import Testing

@testable import OperatorText

@Suite struct TOMLParserTests {
    /// Returns the error of a text; `nil` for a valid document.
    private func error(_ text: String) -> TOMLError? {
        do throws(TOMLError) {
            _ = try TOMLParser.parse(text)
            return nil
        } catch {
            return error
        }
    }

    @Test("A document of TOML 1.0 has the values of the specification", arguments: TOMLValidCases.all)
    func valid(example: TOMLValidCases.Case) throws {
        #expect(TOMLRendering.text(try TOMLParser.parse(example.text)) == example.values)
    }

    @Test("A text that is not TOML 1.0 has its first mistake, with line and column", arguments: TOMLInvalidCases.all)
    func invalid(example: TOMLInvalidCases.Case) {
        let position = TextPosition(line: example.line, column: example.column)
        #expect(error(example.text) == TOMLError(position: position, mistake: example.mistake))
    }

    @Test("Keys, headers, and elements have the position where they begin")
    func positions() throws {
        let table = try TOMLParser.parse(
            """
            # head
            'é' . x = 1
              y = [1, "👍🏽", 2,
                {z = 3}]
            [ t . u ]
            [[v]]
            [[v]]
            [t]
            """)
        var lines: [String] = []
        func add(_ table: TOMLTable, _ path: String) {
            for (key, node) in table {
                lines.append("\(path)\(key) \(node.position)")
                add(node.value, "\(path)\(key)")
            }
        }
        func add(_ value: TOMLValue, _ path: String) {
            switch value {
            case .table(let table): add(table, path + ".")
            case .array(let elements):
                for (index, element) in elements.enumerated() {
                    lines.append("\(path)[\(index)] \(element.position)")
                    add(element.value, "\(path)[\(index)]")
                }
            default: break
            }
        }
        add(table, "")
        #expect(
            lines.sorted() == [
                "t 8:2", "t.u 5:7", "v 6:3", "v[0] 6:3", "v[1] 7:3", "y 3:3", "y[0] 3:8", "y[1] 3:11", "y[2] 3:16",
                "y[3] 4:5", "y[3].z 4:6", "é 2:1", "é.x 2:7",
            ])
    }

    @Test(
        "Tables and lists within each other are bounded, however they are written",
        arguments: [
            ("a = ", "[", "1", "]"), ("a = ", "{ a = ", "1", "}"), ("", "a.", "a = 1", ""),
            ("[", "a.", "a]\nb = 1", ""),
        ])
    func depth(start: String, open: String, middle: String, close: String) {
        func text(_ count: Int) -> String {
            start + String(repeating: open, count: count) + middle + String(repeating: close, count: count)
        }
        let isHeader = start == "["
        let most = TOMLLimits.depth - (isHeader ? 2 : 1)
        #expect(error(text(most)) == nil)
        #expect(error(text(most + 1))?.mistake == .tooDeep)
        #expect(error(text(1_000_000))?.mistake == .tooDeep)
    }

    @Test("A key below a header counts from the root")
    func depthOfKeys() {
        let header = "[" + Array(repeating: "a", count: TOMLLimits.depth).joined(separator: ".") + "]\n"
        #expect(error(header) == nil)
        #expect(error(header + "b = 1") == TOMLError(position: .init(line: 2, column: 1), mistake: .tooDeep))
    }

    @Test("The size of a document is bounded")
    func size() {
        let text = "#" + String(repeating: "-", count: TOMLLimits.bytes)
        #expect(error(text)?.mistake == .tooLarge(bytes: TOMLLimits.bytes + 1))
        #expect(error(String(text.dropLast())) == nil)
    }

    @Test(
        "The number of keys and elements is bounded",
        arguments: [("a = [\n", "1,\n", "]"), ("", "[[a]]\n", "")])
    func entries(start: String, entry: String, end: String) {
        let most = start.isEmpty ? TOMLLimits.entries : TOMLLimits.entries - 1
        #expect(error(start + String(repeating: entry, count: most) + end) == nil)
        #expect(error(start + String(repeating: entry, count: most + 1) + end)?.mistake == .tooManyEntries)
    }

    @Test("The length of a number is bounded", arguments: ["", "1979-05-27T07:32:00."])
    func literals(start: String) {
        let text = "a = " + start + String(repeating: "1", count: 1_000_000)
        #expect(error(text)?.position == TextPosition(line: 1, column: 5))
    }

    @Test("Errors in one long line of other than ASCII characters have their columns")
    func longLine() {
        let text = "a = [" + String(repeating: "'é', ", count: 100_000)
        #expect(error(text + "x]")?.position == TextPosition(line: 1, column: 500_006))
    }

    @Test("Random changes of good documents never trap, and errors are within the document")
    func random() {
        var generator = SeededGenerator("TOML documents")
        let documents = TOMLValidCases.all.map(\.text) + TOMLInvalidCases.all.map(\.text)
        let tokens = Array("[]{}=.,\"'\\#\n\r\t \u{0}\u{7F}\u{2028}é👍🏽019_-+:eEnfatTZxuU".unicodeScalars)
        for _ in 0..<TestScale.amount(20_000, full: 1_000_000) {
            var text = Array((documents.randomElement(using: &generator) ?? "").unicodeScalars)
            for _ in 0..<Int.random(in: 1...4, using: &generator) {
                let index = Int.random(in: 0...text.count, using: &generator)
                switch Int.random(in: 0..<4, using: &generator) {
                case 0: text.removeSubrange(index..<min(text.count, index + 2))
                case 1: text.insert(tokens.randomElement(using: &generator) ?? "\n", at: index)
                case 2: text += (documents.randomElement(using: &generator) ?? "").unicodeScalars
                default: text.insert(contentsOf: text.prefix(index).suffix(10), at: index)
                }
            }
            let document = String(String.UnicodeScalarView(text))
            guard let error = error(document) else { continue }
            let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
            let line = error.position.line
            let isInside = 1...lines.count ~= line && 1...lines[line - 1].count + 1 ~= error.position.column
            #expect(isInside, "\(document.debugDescription): \(error), \(generator.comment)")
        }
    }
}

extension TOMLValidCases.Case: CustomTestStringConvertible {
    var testDescription: String { text.debugDescription }
}

extension TOMLInvalidCases.Case: CustomTestStringConvertible {
    var testDescription: String { text.debugDescription }
}
