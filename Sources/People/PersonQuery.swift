/// A text by which somebody is looked up: a number, a name, or parts of a name.
package struct PersonQuery: Equatable, Sendable {
    /// The text as a number: without white space at its ends.
    package let number: String
    package let name: FoldedName

    /// Maximum length of a query, in Unicode scalars.
    package static let longest = Person.longestName
    /// Maximum number of words that are searched for; further ones are ignored in a search for parts.
    package static let mostWords = 7

    /// Creates a query; `nil` if the text is empty, too long, or not on one line.
    package init?(_ text: String) {
        let start = text.drop { $0.isWhitespace }
        let trimmed = String(start.reversed().drop { $0.isWhitespace }.reversed())
        guard (1...Self.longest).contains(trimmed.unicodeScalars.count),
            trimmed.unicodeScalars.allSatisfy({ $0.properties.generalCategory != .control })
        else { return nil }
        number = trimmed
        name = FoldedName(trimmed)
    }

    /// Beginnings of words, each in one form or two: a person fits if each is the beginning of a word of the name.
    package var prefixes: [[String]] { name.words.prefix(Self.mostWords).map { $0.sorted() } }
}
