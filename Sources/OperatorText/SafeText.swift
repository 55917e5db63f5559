extension StringProtocol {
    /// Returns the text with terminal control characters replaced by question marks, cut to `longest` Unicode scalars.
    ///
    /// Invisible characters are replaced too, except joiners inside words that are spelled with them.
    package func shown(upTo longest: Int) -> String {
        var shown = ""
        let scalars = Array(unicodeScalars.prefix(longest))
        for (index, scalar) in scalars.enumerated() {
            switch scalar.properties.generalCategory {
            case .format where scalar.isJoiner && index > 0 && index + 1 < scalars.count:
                let isInWord = scalars[index - 1].isSpelledWithJoiners && scalars[index + 1].isSpelledWithJoiners
                if isInWord { shown.unicodeScalars.append(scalar) } else { shown += "?" }
            case .control, .format, .lineSeparator, .paragraphSeparator: shown += "?"
            default: shown.unicodeScalars.append(scalar)
            }
        }
        return shown + (unicodeScalars.dropFirst(longest).isEmpty ? "" : "...")
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

extension Unicode.Scalar {
    /// Whether it only says how the characters beside it are joined: U+200C and U+200D.
    package var isJoiner: Bool { value == 0x200C || value == 0x200D }

    /// Whether it is a letter without capitals, or a mark. Persian and languages of India write joiners between these;
    /// between other letters nobody would see them.
    fileprivate var isSpelledWithJoiners: Bool {
        switch properties.generalCategory {
        case .otherLetter, .nonspacingMark, .spacingMark: true
        default: false
        }
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
