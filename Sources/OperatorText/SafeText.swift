extension StringProtocol {
    /// Without characters that a terminal obeys, and no longer than `longest` of them.
    package func shown(upTo longest: Int) -> String {
        let shown = unicodeScalars.prefix(longest).map { scalar in
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator: "?"
            default: String(scalar)
            }
        }
        return shown.joined() + (unicodeScalars.dropFirst(longest).isEmpty ? "" : "...")
    }

    /// Without characters that a terminal obeys, but with its lines.
    package var shownInLines: String {
        split(separator: "\n", omittingEmptySubsequences: false).map { $0.shown(upTo: .max) }.joined(separator: "\n")
    }

    /// The same JSON in one line of ASCII: it may be read by a terminal, and by whoever reads lines.
    ///
    /// Outside its strings JSON has no other characters than ASCII, and within them none below U+0020.
    package var asciiJSON: String {
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

extension [UInt8] {
    /// The same JSON with characters escaped that a terminal obeys: those that an encoder leaves as they are.
    package var terminalJSON: [UInt8] {
        // The only ones below are U+0000 to U+001F, which every encoder escapes.
        guard contains(where: { $0 >= 0x7F }) else { return self }
        var text = ""
        for scalar in String(decoding: self, as: UTF8.self).unicodeScalars {
            switch scalar.properties.generalCategory {
            case .control where scalar.value >= 0x7F, .format, .lineSeparator, .paragraphSeparator:
                text += String(scalar).asciiJSON
            default: text.unicodeScalars.append(scalar)
            }
        }
        return Array(text.utf8)
    }
}
