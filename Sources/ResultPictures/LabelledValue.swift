/// Value that follows a label in a row: `POSITIVE` in `Result: POSITIVE`.
struct LabelledValue {
    var text: String
    /// The least confidence of its words.
    var confidence: Double
    /// Whether a colon, or what is read for one, precedes it.
    var hasSeparator: Bool
    /// Start of the value, in heights of letters.
    var start: Double
    /// Space between label and value, in heights of letters.
    var gap: Double
    /// The widest space between its words, in heights of letters.
    var widestGap: Double = 0
    /// Whether the value is below its label.
    var isBelow = false

    /// Returns the widest space between words.
    static func widestGap(in words: some Collection<TextRow.Word>) -> Double {
        zip(words, words.dropFirst()).map { $1.start - $0.end }.max() ?? 0
    }
}

/// A row prepared for the search for labels.
struct LabelRow {
    let row: TextRow
    /// The row's characters without the marks in front of it, with the word of each.
    private let characters: [(character: Character, word: Int)]
    private let folded: FoldedText

    private static let longest = 300

    init(_ row: TextRow) {
        self.row = row
        var characters: [(character: Character, word: Int)] = []
        for (index, word) in row.words.enumerated() {
            characters += word.text.map { (character: $0, word: index) }
            characters.append((" ", index))
        }
        self.characters = Array(
            characters.prefix(Self.longest).drop { !$0.character.isLetter && !$0.character.isNumber })
        folded = FoldedText(self.characters.map { $0.character })
    }

    /// Returns what follows a label; `nil` if the row does not begin with it. Nothing follows if the text is empty.
    ///
    /// - Parameter tolerant: whether one character of the label can be wrong.
    func value(after label: FoldedText, tolerant: Bool) -> LabelledValue? {
        let length = label.characters.count
        guard let end = folded.positions.dropFirst(length - 1).first else { return nil }
        let beginning = folded.characters.prefix(length)
        guard beginning == label.characters[...] || tolerant && FoldedText.areNear(beginning, label.characters[...])
        else { return nil }
        var rest = characters.dropFirst(end + 1)
        // The label is a whole word.
        if let next = rest.first?.character, next.isLetter || next.isNumber { return nil }
        rest = rest.drop { $0.character == " " }
        var hasSeparator = false
        if rest.first?.character == "." { rest = rest.dropFirst() }
        if let mark = rest.first?.character, ":;,=".contains(mark) {
            hasSeparator = true
            rest = rest.dropFirst()
        }
        rest = rest.drop { $0.character == " " }
        while let last = rest.last?.character, " .,;:'\"*|\u{2018}\u{2019}\u{201C}\u{201D}".contains(last) {
            rest = rest.dropLast()
        }
        guard let first = rest.first, let last = rest.last else {
            return LabelledValue(text: "", confidence: 0, hasSeparator: hasSeparator, start: 0, gap: 0)
        }
        let words = row.words[first.word...last.word]
        let gap = first.word > 0 ? row.words[first.word].start - row.words[first.word - 1].end : 0
        return LabelledValue(
            text: String(rest.map { $0.character }), confidence: words.map(\.confidence).min() ?? 0,
            hasSeparator: hasSeparator, start: row.words[first.word].start, gap: gap,
            widestGap: LabelledValue.widestGap(in: words))
    }

    /// The whole row as the value of a label above it.
    var whole: LabelledValue {
        LabelledValue(
            text: row.text, confidence: row.words.map(\.confidence).min() ?? 0, hasSeparator: false,
            start: row.words.first?.start ?? 0, gap: 0, widestGap: LabelledValue.widestGap(in: row.words),
            isBelow: true)
    }
}
