// Texts as pages show them, and as people type them. Pure.
extension String {
    /// The text with a capital letter at its beginning.
    var withCapital: String { prefix(1).uppercased() + dropFirst() }

    /// The text as a sentence: with a capital letter at its beginning, and a full stop.
    var asSentence: String { withCapital + "." }

    /// The text without white space at its ends.
    var trimmed: String {
        String(drop { $0.isWhitespace }.reversed().drop { $0.isWhitespace }.reversed())
    }

    /// The text without white space at its ends, and with one space for any other.
    var onOneLine: String { split { $0.isWhitespace }.joined(separator: " ") }
}
