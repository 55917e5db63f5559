/// A row of text in a picture, from left to right as it is read.
package struct TextRow: Hashable, Sendable {
    /// A word with its place in the row. Lengths are in heights of letters.
    package struct Word: Hashable, Sendable {
        package var text: String
        /// Confidence of the reader, from 0 to 100.
        package var confidence: Double
        package var start: Double
        package var end: Double

        package init(_ text: String, confidence: Double = 100, start: Double, end: Double) {
            self.text = text
            self.confidence = confidence
            self.start = start
            self.end = end
        }
    }

    package var words: [Word]

    package init(words: [Word]) { self.words = words }

    /// Creates a row of evenly spaced letters; each further space is as wide as a letter.
    package init(_ text: String) {
        let width = 0.7
        words = []
        var word = ""
        for (index, character) in (Array(text) + [" "]).enumerated() {
            guard character == " " else {
                word.append(character)
                continue
            }
            guard !word.isEmpty else { continue }
            words.append(Word(word, start: Double(index - word.count) * width, end: Double(index) * width))
            word = ""
        }
    }

    package var text: String { words.map(\.text).joined(separator: " ") }
}
