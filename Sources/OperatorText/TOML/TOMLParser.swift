/// Parser of TOML 1.0 documents.
///
/// Any text gives a table or an error with its position, in time and memory proportional to its length.
package struct TOMLParser {
    var cursor: TOMLCursor
    private let root = TOMLTableNode(origin: .header, depth: 0)
    /// The table of the last header.
    private var current: TOMLTableNode
    private var entries = 0
    /// Where headers and values are; `nil` when nobody edits the document.
    private var marks: [TOMLMark]?
    /// Names in the last header; those of an array of tables end with `TOMLMark.element`.
    private var currentPath: [String] = []

    private init(_ text: String) {
        cursor = TOMLCursor(text)
        current = root
    }

    /// Parses a document that is to be edited.
    static func parseForEditing(_ text: String) throws(TOMLError) -> (table: TOMLTable, marks: [TOMLMark]) {
        let size = text.utf8.count
        guard size <= TOMLLimits.bytes else {
            throw TOMLError(position: TextPosition(line: 1, column: 1), mistake: .tooLarge(bytes: size))
        }
        var parser = TOMLParser(text)
        parser.marks = []
        try parser.parseLines()
        return (parser.root.finished(), parser.marks ?? [])
    }

    package static func parse(_ text: String) throws(TOMLError) -> TOMLTable {
        let size = text.utf8.count
        guard size <= TOMLLimits.bytes else {
            throw TOMLError(position: TextPosition(line: 1, column: 1), mistake: .tooLarge(bytes: size))
        }
        var parser = TOMLParser(text)
        try parser.parseLines()
        return parser.root.finished()
    }

    private mutating func parseLines() throws(TOMLError) {
        while true {
            let start = cursor.place
            var content: TOMLMark.Content?
            cursor.skipBlanks()
            switch cursor.current {
            case nil: return
            case "[": content = .header(isElement: try parseHeader())
            case "#", "\n", "\r": break
            default:
                let (names, value) = try parseAssignment(in: current)
                content = .value(names: names, value)
            }
            cursor.skipBlanks()
            try skipComment()
            guard cursor.takeLineBreak() || cursor.current == nil else { throw unexpected(.lineEnd) }
            if let content {
                marks?.append(TOMLMark(table: currentPath, content: content, lines: start..<cursor.place))
            }
        }
    }

    /// Returns whether the header is that of an element of an array of tables.
    private mutating func parseHeader() throws(TOMLError) -> Bool {
        cursor.advance()
        let isElement = cursor.current == "["
        if isElement { cursor.advance() }
        let name = try parseKey(depth: 0)
        guard cursor.current == "]" else { throw unexpected(isElement ? .brackets : .bracket) }
        cursor.advance()
        if isElement {
            guard cursor.current == "]" else { throw unexpected(.brackets) }
            cursor.advance()
        }
        current = try isElement ? root.addElement(name) : root.addTable(name)
        currentPath = name.names + (isElement ? [TOMLMark.element] : [])
        return isElement
    }

    /// Parses a key with its value into a table.
    ///
    /// - Returns: the names of the dotted key, and the place of the value.
    @discardableResult
    mutating func parseAssignment(in table: TOMLTableNode) throws(TOMLError) -> (names: [String], value: Range<Int>) {
        let key = try parseKey(depth: table.depth)
        guard cursor.current == "=" else { throw unexpected(.equals) }
        cursor.advance()
        let (owner, last) = try table.reserve(key)
        cursor.skipBlanks()
        let start = cursor.place
        let value = try parseValue(depth: owner.depth + 1)
        owner.entries[last.name] = .init(position: last.position, content: .value(value))
        return (key.names, start..<cursor.place)
    }

    /// Skips a comment up to the end of its line.
    mutating func skipComment() throws(TOMLError) {
        guard cursor.current == "#" else { return }
        while let scalar = cursor.current, !cursor.isAtLineBreak {
            if scalar.isTOMLControl { throw error(.controlCharacter(scalar)) }
            cursor.advance()
        }
    }

    /// Counts a key or an element.
    mutating func count() throws(TOMLError) {
        entries += 1
        if entries > TOMLLimits.entries { throw error(.tooManyEntries) }
    }

    /// Returns an error at the current position.
    mutating func error(_ mistake: TOMLMistake) -> TOMLError {
        TOMLError(position: cursor.position, mistake: mistake)
    }

    mutating func unexpected(_ expected: TOMLMistake.Expectation) -> TOMLError {
        error(.unexpected(found: cursor.found, expected: expected))
    }
}

extension Unicode.Scalar {
    /// Whether the character must be escaped in strings and cannot be in comments.
    var isTOMLControl: Bool { (value < 0x20 && self != "\t") || self == "\u{7F}" }

    /// Name of a control character, for messages.
    var controlName: String {
        let digits = String(value, radix: 16, uppercase: true)
        return "the control character U+" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    }
}
