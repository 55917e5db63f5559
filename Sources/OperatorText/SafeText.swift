extension StringProtocol {
    /// Returns the text with terminal control characters replaced by question marks, cut to `longest` Unicode scalars.
    package func shown(upTo longest: Int) -> String {
        let shown = unicodeScalars.prefix(longest).map { scalar in
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator: "?"
            default: String(scalar)
            }
        }
        return shown.joined() + (unicodeScalars.dropFirst(longest).isEmpty ? "" : "...")
    }

    /// The text with terminal control characters replaced by question marks, but with its line breaks.
    package var shownInLines: String {
        split(separator: "\n", omittingEmptySubsequences: false).map { $0.shown(upTo: .max) }.joined(separator: "\n")
    }

    /// The same JSON in one line of ASCII, which is safe for terminals and for line-based readers.
    ///
    /// Outside its strings JSON has only ASCII characters, and within them none below U+0020.
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
    /// The same JSON with those terminal control characters escaped that an encoder leaves unescaped.
    package var terminalJSON: [UInt8] {
        // The only others are U+0000 to U+001F, which every encoder escapes.
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
