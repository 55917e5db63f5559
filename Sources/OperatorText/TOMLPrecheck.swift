/// A check for the mistakes that make the TOML library end the process instead of reporting them (toml++ 3.4.0, the
/// preconditions of `parse_key`, `parse_value`, `parse_date` and `parse_time`). They are: a header without a name,
/// `[[[a]]]` or `[=]`; a brace or a Unicode line separator where an element of a list should begin, `[}]`; and parts of
/// a date or time, `2026-11-20T`. All dates and times are refused, because no key takes one. The check also limits what
/// the library parses recursively, until the stack overflows: the parts of a key, each of which becomes a table, and
/// the nesting of lists and inline tables.
///
/// All other mistakes are left to the library, which stops at the first one: what follows it may be misread here.
package struct TOMLPrecheck {
    package struct Mistake: Equatable {
        /// Number of the line; the first is 1.
        package var line: Int
        package var found: String
        package var allowed: String
    }

    package static func firstMistake(in text: String) -> Mistake? {
        var check = TOMLPrecheck(text: Array(text.unicodeScalars))
        return check.run()
    }

    /// Maximum number of parts in a dotted key or header: `a.b.c` has three.
    static let mostParts = 32
    /// Maximum nesting of lists and inline tables.
    private static let deepest = 32

    private let text: [Unicode.Scalar]
    private var position = 0
    private var line = 1
    /// Open brackets and braces.
    private var open: [Unicode.Scalar] = []
    /// Number of parts in the key or header being read.
    private var parts = 1
    private var isAtLineStart = true
    private var expected = Expected.nothing

    private enum Expected {
        case nothing
        /// After `=`.
        case value
        /// After `[` or a comma in a list.
        case element
    }

    private init(text: [Unicode.Scalar]) { self.text = text }

    private mutating func run() -> Mistake? {
        // Editors on Windows write a byte order mark.
        if current == "\u{FEFF}" { position += 1 }
        while let scalar = current {
            switch scalar {
            case " ", "\t", "\r": position += 1
            case "\n":
                advance()
                parts = 1
                isAtLineStart = open.isEmpty
            case "#": skip { $0 != "\n" }
            case "[" where isAtLineStart:
                isAtLineStart = false
                guard startsName() else {
                    return Mistake(
                        line: line, found: "no name follows the bracket", allowed: "must be [name] or [[name]]")
                }
            default:
                isAtLineStart = false
                if let mistake = take(scalar) { return mistake }
            }
        }
        return nil
    }

    private var current: Unicode.Scalar? { position < text.count ? text[position] : nil }

    private mutating func advance() {
        if current == "\n" { line += 1 }
        position += 1
    }

    private mutating func skip(while condition: (Unicode.Scalar) -> Bool) {
        while let scalar = current, condition(scalar) { advance() }
    }

    /// Moves to the name of a header. Returns `true` if there is a name, or something that the library reports.
    private mutating func startsName() -> Bool {
        position += 1
        if current == "[" { position += 1 } else if skipSpaces(), current == "[" { return true }
        _ = skipSpaces()
        return switch current {
        case nil, "]", "\"", "'", "-", "_": true
        case .some("a"..."z"), .some("A"..."Z"), .some("0"..."9"): true
        default: false
        }
    }

    /// Skips spaces and tabs. Returns whether there were any.
    private mutating func skipSpaces() -> Bool {
        let start = position
        skip { $0 == " " || $0 == "\t" }
        return position > start
    }

    private mutating func take(_ scalar: Unicode.Scalar) -> Mistake? {
        let expected = expected
        self.expected = .nothing
        if expected == .element, Self.isNoElement(scalar) {
            return Mistake(
                line: line, found: "no element of the list follows", allowed: "must be a value, or ] at its end")
        }
        if expected != .nothing, Self.isNumberStart(scalar) { return takeNumber() }
        switch scalar {
        case "\"", "'":
            skipString(scalar)
            return nil
        case ".":
            parts += 1
            if parts > Self.mostParts { return tooManyParts() }
        case "=":
            parts = 1
            self.expected = .value
        case "[", "{":
            open.append(scalar)
            parts = 1
            if scalar == "[" { self.expected = .element }
            if open.count > Self.deepest {
                return Mistake(
                    line: line, found: "has \(open.count) lists and tables within each other",
                    allowed: "must have \(Self.deepest) at most")
            }
        case "]" where open.last == "[", "}" where open.last == "{": open.removeLast()
        case ",":
            parts = 1
            if open.last == "[" { self.expected = .element }
        default: break
        }
        advance()
        return nil
    }

    /// Counts the parts that follow, for the message.
    private mutating func tooManyParts() -> Mistake {
        let start = line
        advance()
        while let scalar = current, !["=", "]", ",", "\n", "#"].contains(scalar) {
            if scalar == "\"" || scalar == "'" {
                skipString(scalar)
            } else {
                if scalar == "." { parts += 1 }
                advance()
            }
        }
        return Mistake(
            line: start, found: "found a key of \(parts) parts", allowed: "must have \(Self.mostParts) at most")
    }

    private static func isNoElement(_ scalar: Unicode.Scalar) -> Bool {
        ["}", "\u{B}", "\u{C}", "\u{85}", "\u{2028}", "\u{2029}"].contains(scalar)
    }

    private static func isNumberStart(_ scalar: Unicode.Scalar) -> Bool {
        ("0"..."9").contains(scalar) || scalar == "+" || scalar == "-"
    }

    /// Skips a number; returns a mistake for a date or time.
    private mutating func takeNumber() -> Mistake? {
        var previous: Unicode.Scalar = " "
        while let scalar = current {
            switch scalar {
            case ":",
                "-" where ("0"..."9").contains(previous):
                return Mistake(
                    line: line, found: "found a date or time", allowed: "must be a number, or a string in quotes")
            case "0"..."9", "A"..."Z", "a"..."z", "+", "-", ".", "_": break
            default: return nil
            }
            previous = scalar
            position += 1
        }
        return nil
    }

    private mutating func skipString(_ quote: Unicode.Scalar) {
        let quotes = countQuotes(quote, most: 3)
        // Two quotes are an empty string.
        guard quotes != 2 else { return }
        while let scalar = current {
            if scalar == quote {
                // Up to two quotes may stand before those that end a multi-line string.
                if countQuotes(quote, most: quotes == 3 ? 5 : 1) >= quotes { return }
                continue
            }
            // The string is unterminated, which the library reports.
            if scalar == "\n", quotes == 1 { return }
            if scalar == "\\", quote == "\"" { advance() }
            advance()
        }
    }

    /// Skips up to `most` quotes and returns their number.
    private mutating func countQuotes(_ quote: Unicode.Scalar, most: Int) -> Int {
        let start = position
        while current == quote, position - start < most { position += 1 }
        return position - start
    }
}
