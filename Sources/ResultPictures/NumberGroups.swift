/// Numbers of orders in groups with single spaces: `QX 7734 1129`.
///
/// What follows a number in its row is words, days and times more often than a further group. So every group must look
/// like nothing else.
enum NumberGroups {
    private static let counts = 2...5
    /// Words in capitals that precede a number, and are no part of it.
    private static let words: Set<String> = ["NR", "NO", "NUM", "ID", "VOM", "AM", "OF", "ON"]

    /// Returns the number that a text is as a whole; `nil` if a part can be something else.
    static func number(_ text: String) -> OrderNumber? {
        let groups = text.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
        guard counts.contains(groups.count), ResultText.orderLengths.contains(text.utf8.count),
            groups.dropFirst().allSatisfy(isGroup), let first = groups.first, isGroup(first) || isPrefix(first)
        else { return nil }
        return OrderNumber(text)
    }

    /// Whether a text is capitals and digits, with a digit, and neither a part of a day nor of a time.
    private static func isGroup(_ text: String) -> Bool {
        guard (2...10).contains(text.utf8.count), text.utf8.allSatisfy({ isDigit($0) || isCapital($0) }),
            text.utf8.contains(where: isDigit)
        else { return false }
        guard text.utf8.allSatisfy(isDigit) else { return true }
        return text.utf8.count >= 3 && !isDay(Array(text))
    }

    /// Whether a text is a few capitals in front of a number.
    private static func isPrefix(_ text: String) -> Bool {
        (1...4).contains(text.utf8.count) && text.utf8.allSatisfy(isCapital) && !words.contains(text)
    }

    /// Whether digits can be a year, or a day without marks.
    private static func isDay(_ digits: [Character]) -> Bool {
        func number(_ range: Range<Int>) -> Int { Int(String(digits[range])) ?? 0 }
        func isYear(_ start: Int) -> Bool { (1900...2099).contains(number(start..<start + 4)) }
        switch digits.count {
        case 4: return isYear(0)
        case 6:
            let isMonth = (1...12).contains(number(2..<4))
            return isMonth && ((1...31).contains(number(0..<2)) || (1...31).contains(number(4..<6)))
        case 8: return isYear(0) || isYear(4)
        default: return false
        }
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
    private static func isCapital(_ byte: UInt8) -> Bool { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) }
}
