/// The first mistake in a text that is not a TOML document.
package struct TOMLError: Error, Equatable, Sendable {
    package var position: TextPosition
    package var mistake: TOMLMistake
}

/// A mistake in a TOML document.
package enum TOMLMistake: Error, Equatable, Sendable {
    /// - Parameter found: the character in quotes, or the end of the line or file.
    case unexpected(found: String, expected: Expectation)
    /// A value without quotes that is no number, date, or truth value.
    case bareWord(String)
    case controlCharacter(Unicode.Scalar)
    case unterminatedString
    case unknownEscape(String)
    case notACodePoint(String)
    case malformedNumber(String)
    case numberOutOfRange(String)
    case malformedDate(String)
    /// - Parameter first: position where the key has its value.
    case duplicateKey(String, first: TextPosition)
    case duplicateTable(String, first: TextPosition)
    /// A key that has keys of its own although its value is no table, or is a table in braces.
    case closed(String, kind: String, first: TextPosition)
    /// A header in double brackets for a key that isn't an array of tables.
    case notAnArrayOfTables(String, kind: String, first: TextPosition)
    case tooLarge(bytes: Int)
    case tooDeep
    case tooManyEntries

    package enum Expectation: String, Sendable {
        case key = "must be a key"
        case equals = "must be = after the key"
        case value = "must be a value"
        case lineEnd = "must be the end of the line"
        case bracket = "must be ] after the name of the table"
        case brackets = "must be ]] after the name of the table"
        case arrayEnd = "must be a comma, or ] at the end of the list"
        case tableEnd = "must be a comma, or } at the end of the table, in one line"
    }

    /// What was found, for messages.
    package var found: String {
        switch self {
        case .unexpected(let found, _): "found \(found)"
        case .bareWord(let text), .malformedNumber(let text), .numberOutOfRange(let text), .malformedDate(let text),
            .unknownEscape(let text), .notACodePoint(let text):
            "found \(text.excerpt)"
        case .controlCharacter(let scalar): "found \(scalar.controlName)"
        case .unterminatedString: "found a string that does not end"
        case .duplicateKey(let key, let first): "\(key.excerpt) already has a value, in line \(first.line)"
        case .duplicateTable(let key, let first): "the table \(key.excerpt) already exists, in line \(first.line)"
        case .closed(let key, let kind, let first), .notAnArrayOfTables(let key, let kind, let first):
            "\(key.excerpt) is \(kind), in line \(first.line)"
        case .tooLarge(let bytes): "has \(bytes) bytes"
        case .tooDeep: "found more than \(TOMLLimits.depth) nested tables and lists"
        case .tooManyEntries: "found more than \(TOMLLimits.entries) keys and elements"
        }
    }

    /// What must be there instead, for messages.
    package var allowed: String {
        switch self {
        case .unexpected(_, let expected): expected.rawValue
        case .bareWord: "must be in quotes if it is a string"
        case .controlCharacter: "must be written as an escape, in a string in double quotes"
        case .unterminatedString: "must end with the quotes it begins with"
        case .unknownEscape: #"must be \\, \", \b, \t, \n, \f, \r, \uXXXX or \UXXXXXXXX"#
        case .notACodePoint: "must be the hexadecimal digits of a Unicode character"
        case .malformedNumber: "must be a number as in TOML 1.0, or be in quotes if it is a string"
        case .numberOutOfRange: "must be a number of 64 bits"
        case .malformedDate: "must be a date or time as in TOML 1.0, or be in quotes if it is a string"
        case .duplicateKey, .duplicateTable: "must occur once"
        case .closed: "must be a table that is not in braces"
        case .notAnArrayOfTables: "must be a list of tables in double brackets"
        case .tooLarge: "must have at most \(TOMLLimits.bytes)"
        case .tooDeep: "must have at most \(TOMLLimits.depth)"
        case .tooManyEntries: "must have at most \(TOMLLimits.entries)"
        }
    }
}
