import OperatorText

/// Days as results of tests have them.
enum ResultDate {
    private static let months = [
        ["jan", "january", "januar", "jän", "jänner"], ["feb", "february", "februar"],
        ["mar", "march", "mär", "märz", "mrz"],
        ["apr", "april"], ["may", "mai"], ["jun", "june", "juni"], ["jul", "july", "juli"], ["aug", "august"],
        ["sep", "sept", "september"], ["oct", "october", "okt", "oktober"], ["nov", "november"],
        ["dec", "december", "dez", "dezember"],
    ]
    private static let mostTokens = 20

    /// Parses `2026-11-02`, `02.11.2026`, `2 Nov 2026` or `13/11/2026`, which a time can follow.
    ///
    /// - Returns: days since 1970; `nil` for any other text, for `02/11/2026`, which can be two days, and for years
    ///   before 2020 or after 2099.
    static func day(_ text: String) -> Int64? {
        var tokens = Self.tokens(text)[...]
        guard tokens.count >= 3, let date = Self.date(&tokens), isTime(tokens) else { return nil }
        guard (2020...2099).contains(date.year), (1...12).contains(date.month), (1...31).contains(date.day) else {
            return nil
        }
        func padded(_ number: Int) -> String { (number < 10 ? "0" : "") + "\(number)" }
        return DayText.parse("\(date.year)-\(padded(date.month))-\(padded(date.day))")
    }

    /// Splits a text into numbers, words and marks.
    private static func tokens(_ text: String) -> [String] {
        var tokens: [String] = []
        var last: Character = " "
        for character in text.prefix(100) {
            let continues = isDigit(character) && isDigit(last) || character.isLetter && last.isLetter
            if continues, let end = tokens.indices.last {
                tokens[end].append(character)
            } else if !character.isWhitespace {
                tokens.append(String(character))
            }
            last = character
        }
        return Array(tokens.prefix(mostTokens))
    }

    private static func date(_ tokens: inout ArraySlice<String>) -> (year: Int, month: Int, day: Int)? {
        let parts = Array(tokens.prefix(5))
        if parts.count == 5, parts[1] == parts[3], let first = number(parts[0]), let second = number(parts[2]),
            let third = number(parts[4])
        {
            let lengths = [parts[0].count, parts[2].count, parts[4].count]
            tokens = tokens.dropFirst(5)
            if parts[1] == "-", lengths == [4, 2, 2] { return (first, second, third) }
            guard lengths[0] <= 2, lengths[1] <= 2, lengths[2] == 4 else { return nil }
            if parts[1] == "." { return (third, second, first) }
            guard parts[1] == "/" else { return nil }
            // The order of day and month is known if one of them is no month, or if they are equal.
            if first > 12 || first == second { return (third, second, first) }
            return second > 12 ? (third, first, second) : nil
        }
        guard let day = number(parts[0]), parts[0].count <= 2 else { return nil }
        var rest = tokens.dropFirst()
        if rest.first == "." { rest = rest.dropFirst() }
        guard let name = rest.popFirst()?.lowercased(), let month = months.firstIndex(where: { $0.contains(name) })
        else { return nil }
        if rest.first == "." { rest = rest.dropFirst() }
        guard let digits = rest.popFirst(), digits.count == 4, let year = number(digits) else { return nil }
        tokens = rest
        return (year, month + 1, day)
    }

    /// Whether what follows a day is nothing or a time.
    private static func isTime(_ tokens: ArraySlice<String>) -> Bool {
        var rest = tokens.map { $0.lowercased() }[...]
        if let first = rest.first, [",", "um", "at", "t"].contains(first) { rest = rest.dropFirst() }
        if rest.isEmpty { return tokens.isEmpty }
        if let last = rest.last, ["uhr", "h", "am", "pm"].contains(last) { rest = rest.dropLast() }
        guard rest.count == 3 || rest.count == 5 else { return false }
        return rest.enumerated().allSatisfy { index, token in
            index % 2 == 0 ? number(token) != nil && token.count <= 2 : token == ":" || token == "."
        }
    }

    private static func isDigit(_ character: Character) -> Bool { ("0"..."9").contains(character) }

    private static func number(_ text: String) -> Int? { text.allSatisfy(isDigit) && text.count <= 4 ? Int(text) : nil }
}
