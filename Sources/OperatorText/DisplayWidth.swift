extension StringProtocol {
    /// Number of terminal cells that the text takes: two for a wide character, none for a combining one.
    package var displayWidth: Int { reduce(0) { $0 + $1.displayWidth } }
}

extension Character {
    /// Number of terminal cells: 0 to 2.
    package var displayWidth: Int {
        if isASCII { return 1 }
        if unicodeScalars.contains(where: \.isWide) { return 2 }
        return unicodeScalars.allSatisfy(\.isCombining) ? 0 : 1
    }
}

extension Unicode.Scalar {
    /// Whether terminals take two cells: East Asian Width W or F, emoji, and what the emoji selector makes one.
    fileprivate var isWide: Bool {
        switch value {
        case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x4DBF, 0x4E00...0xA4CF, 0xA960...0xA97C, 0xAC00...0xD7A3,
            0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF01...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1F5FF, 0x20000...0x3FFFD,
            0xFE0F:
            true
        default: properties.isEmojiPresentation
        }
    }

    fileprivate var isCombining: Bool {
        switch properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format: true
        default: false
        }
    }
}

extension String {
    /// The text in lines of at most `width` cells, broken at spaces; longer words are broken anywhere.
    package func wrapped(to width: Int) -> [String] {
        guard displayWidth > width else { return [self] }
        // A wide character needs two cells.
        let width = max(width, 2)
        var lines: [String] = []
        var line = ""
        var used = 0
        for word in split(separator: " ") {
            let length = word.displayWidth
            if used > 0, used + 1 + length <= width {
                line += " " + word
                used += 1 + length
                continue
            }
            if used > 0 { lines.append(line) }
            (line, used) = ("", 0)
            for character in word {
                if used + character.displayWidth > width {
                    lines.append(line)
                    (line, used) = ("", 0)
                }
                line.append(character)
                used += character.displayWidth
            }
        }
        if used > 0 { lines.append(line) }
        return lines
    }
}
