extension TOMLParser {
    /// Parses a string of one or several lines.
    mutating func parseString() throws(TOMLError) -> String {
        guard let quote = cursor.current, cursor.scalar(after: 1) == quote, cursor.scalar(after: 2) == quote else {
            return try parseQuoted()
        }
        return try parseLines(in: quote)
    }

    /// Parses a string in one line. Backslashes are escapes in double quotes only.
    mutating func parseQuoted() throws(TOMLError) -> String {
        let start = cursor.position
        let quote = cursor.current
        cursor.advance()
        var text = String.UnicodeScalarView()
        while let scalar = cursor.current, !cursor.isAtLineBreak {
            switch scalar {
            case quote:
                cursor.advance()
                return String(text)
            case "\\" where quote == "\"": text.append(try parseEscape())
            default: text.append(try takeLiteral(scalar))
            }
        }
        throw TOMLError(position: start, mistake: .unterminatedString)
    }

    /// Parses a string of several lines. Their breaks become LF.
    private mutating func parseLines(in quote: Unicode.Scalar) throws(TOMLError) -> String {
        let start = cursor.position
        cursor.advance(3)
        _ = cursor.takeLineBreak()
        var text = String.UnicodeScalarView()
        while let scalar = cursor.current {
            if cursor.takeLineBreak() {
                text.append("\n")
            } else if scalar == quote {
                let quotes = takeQuotes(quote)
                // One or two quotes can be part of the string, even before those that end it.
                text.append(contentsOf: repeatElement(quote, count: quotes < 3 ? quotes : quotes - 3))
                if quotes >= 3 { return String(text) }
            } else if scalar == "\\", quote == "\"" {
                if endsLine() { skipLineBreaks() } else { text.append(try parseEscape()) }
            } else {
                text.append(try takeLiteral(scalar))
            }
        }
        throw TOMLError(position: start, mistake: .unterminatedString)
    }

    private mutating func takeLiteral(_ scalar: Unicode.Scalar) throws(TOMLError) -> Unicode.Scalar {
        if scalar.isTOMLControl { throw error(.controlCharacter(scalar)) }
        cursor.advance()
        return scalar
    }

    /// Moves over up to five quotes and returns their number.
    private mutating func takeQuotes(_ quote: Unicode.Scalar) -> Int {
        var count = 0
        while count < 5, cursor.current == quote {
            cursor.advance()
            count += 1
        }
        return count
    }

    /// Returns whether only blanks follow the backslash in its line.
    private func endsLine() -> Bool {
        var rest = cursor
        rest.advance()
        rest.skipBlanks()
        return rest.isAtLineBreak
    }

    /// Moves over a backslash and all blanks and line breaks that follow.
    private mutating func skipLineBreaks() {
        cursor.advance()
        repeat { cursor.skipBlanks() } while cursor.takeLineBreak()
    }

    private mutating func parseEscape() throws(TOMLError) -> Unicode.Scalar {
        let scalar: Unicode.Scalar
        switch cursor.scalar(after: 1) {
        case "\"": scalar = "\""
        case "\\": scalar = "\\"
        case "b": scalar = "\u{8}"
        case "t": scalar = "\t"
        case "n": scalar = "\n"
        case "f": scalar = "\u{C}"
        case "r": scalar = "\r"
        case "u": return try parseCodePoint(digits: 4)
        case "U": return try parseCodePoint(digits: 8)
        case let other: throw error(.unknownEscape("\\" + (other.map { String($0) } ?? "")))
        }
        cursor.advance(2)
        return scalar
    }

    private mutating func parseCodePoint(digits: Int) throws(TOMLError) -> Unicode.Scalar {
        let following = (2..<2 + digits).prefix { cursor.scalar(after: $0)?.isHexadecimal == true }
        let text = String(String.UnicodeScalarView(following.compactMap { cursor.scalar(after: $0) }))
        guard text.utf8.count == digits, let value = UInt32(text, radix: 16), let scalar = Unicode.Scalar(value) else {
            throw error(.notACodePoint((digits == 4 ? "\\u" : "\\U") + text))
        }
        cursor.advance(2 + digits)
        return scalar
    }
}

extension Unicode.Scalar {
    fileprivate var isHexadecimal: Bool {
        switch self {
        case "0"..."9", "A"..."F", "a"..."f": true
        default: false
        }
    }
}
