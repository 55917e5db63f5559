extension String {
    /// Without characters that a terminal obeys, and no longer than `longest` of them.
    public func shown(upTo longest: Int) -> String {
        let shown = unicodeScalars.prefix(longest).map { scalar in
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator: "?"
            default: String(scalar)
            }
        }
        return shown.joined() + (unicodeScalars.dropFirst(longest).isEmpty ? "" : "...")
    }

    /// The same JSON in one line of ASCII: it may be read by a terminal, and by whoever reads lines.
    ///
    /// Outside its strings JSON has no other characters than ASCII, and within them none below U+0020.
    public var asciiJSON: String {
        var line = ""
        for scalar in unicodeScalars {
            switch scalar.value {
            case 0..<0x20: line += " "
            case 0x20..<0x7F: line.unicodeScalars.append(scalar)
            default:
                for unit in String(scalar).utf16 {
                    let digits = String(unit, radix: 16)
                    line += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
                }
            }
        }
        return String(line.reversed().drop { $0 == " " }.reversed())
    }
}
