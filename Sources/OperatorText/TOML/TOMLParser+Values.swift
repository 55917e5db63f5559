extension TOMLParser {
    /// - Parameter depth: number of key parts and brackets around the value.
    mutating func parseValue(depth: Int) throws(TOMLError) -> TOMLValue {
        switch cursor.current {
        case "\"", "'": return .string(try parseString())
        case "[": return .array(try parseArray(depth: depth))
        case "{": return .table(try parseInlineTable(depth: depth))
        default: return try parseLiteral()
        }
    }

    private mutating func parseArray(depth: Int) throws(TOMLError) -> [TOMLNode] {
        guard depth < TOMLLimits.depth else { throw error(.tooDeep) }
        cursor.advance()
        var elements: [TOMLNode] = []
        while true {
            try skipLines()
            if cursor.current == "]" { break }
            try count()
            let position = cursor.position
            elements.append(TOMLNode(value: try parseValue(depth: depth + 1), position: position))
            try skipLines()
            if cursor.current == "]" { break }
            guard cursor.current == "," else { throw unexpected(.arrayEnd) }
            cursor.advance()
        }
        cursor.advance()
        return elements
    }

    /// Skips blanks, line breaks, and comments.
    private mutating func skipLines() throws(TOMLError) {
        repeat {
            cursor.skipBlanks()
            try skipComment()
        } while cursor.takeLineBreak()
    }

    private mutating func parseInlineTable(depth: Int) throws(TOMLError) -> TOMLTable {
        guard depth < TOMLLimits.depth else { throw error(.tooDeep) }
        cursor.advance()
        let table = TOMLTableNode(origin: .header, depth: depth)
        cursor.skipBlanks()
        var isAtEnd = cursor.current == "}"
        while !isAtEnd {
            try parseAssignment(in: table)
            cursor.skipBlanks()
            isAtEnd = cursor.current == "}"
            guard isAtEnd || cursor.current == "," else { throw unexpected(.tableEnd) }
            if !isAtEnd { cursor.advance() }
        }
        cursor.advance()
        return table.finished()
    }

    /// Parses a truth value, number, date, or time.
    private mutating func parseLiteral() throws(TOMLError) -> TOMLValue {
        let position = cursor.position
        var text = cursor.take { $0.isLiteral }
        guard !text.isEmpty else { throw unexpected(.value) }
        // A date and its time can have a space between them.
        if TOMLDateTime.isDate(text), cursor.current == " ", let next = cursor.scalar(after: 1), "0"..."9" ~= next {
            cursor.advance()
            text += " " + cursor.take { $0.isLiteral }
        }
        do throws(TOMLMistake) {
            return try TOMLLiteral.parse(text)
        } catch {
            throw TOMLError(position: position, mistake: error)
        }
    }
}

extension Unicode.Scalar {
    fileprivate var isLiteral: Bool {
        switch self {
        case "A"..."Z", "a"..."z", "0"..."9", "_", "-", "+", ".", ":": true
        default: false
        }
    }
}
