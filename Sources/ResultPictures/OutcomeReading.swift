/// Finds the result of a test. When in doubt it finds none.
enum OutcomeReading {
    private static let words: [TestOutcome: [String]] = [
        .positive: [
            "positive", "positiv", "detected", "RNA detected", "virus detected", "nachgewiesen", "RNA nachgewiesen",
            "nachweisbar", "reactive", "reaktiv",
        ],
        .negative: [
            "negative", "negativ", "not detected", "RNA not detected", "virus not detected", "undetected",
            "none detected", "nicht nachgewiesen", "RNA nicht nachgewiesen", "nicht nachweisbar", "not reactive",
            "non-reactive", "nonreactive", "nicht reaktiv",
        ],
        .unclear: [
            "inconclusive", "indeterminate", "invalid", "borderline", "equivocal", "unclear", "unklar", "ungültig",
            "grenzwertig", "fraglich", "nicht auswertbar", "nicht eindeutig",
        ],
    ]

    private static let outcomes: [[Character]: TestOutcome] = {
        var outcomes: [[Character]: TestOutcome] = [:]
        for (outcome, texts) in words { for text in texts { outcomes[FoldedText(text).characters] = outcome } }
        return outcomes
    }()

    /// Words of which one character can be wrong: their opposites differ in three.
    private static let tolerant: [(characters: [Character], outcome: TestOutcome)] = [
        "positive", "positiv", "negative", "negativ",
    ].compactMap { text in
        let characters = FoldedText(text).characters
        return outcomes[characters].map { (characters: characters, outcome: $0) }
    }

    /// Parts of all words of results.
    private static let parts = [
        "positi", "negati", "detect", "nachgewies", "nachweis", "reacti", "reakti",
    ].map { String(FoldedText($0).characters) }

    /// Words that turn a positive result into its opposite.
    private static let negations: Set<String> = ["not", "no", "non", "none", "nicht", "kein", "keine", "never"]

    /// Largest space between a label and its value, in heights of letters, that is no gap.
    static let widestSpace = 1.5
    /// Largest distance between the starts of values in one column, in heights of letters.
    private static let alignment = 1.2

    /// Returns the result that all labelled values agree on; `nil` if there is none, or any doubt.
    ///
    /// - Parameter others: other labelled values of the page.
    static func outcome(in rows: [LabelRow], others: [LabelledValue]) -> TestOutcome? {
        var found: Set<TestOutcome> = []
        for value in ResultLabels.outcome.values(in: rows) {
            if let outcome = Self.outcome(value.text) {
                guard outcome != .positive || isWhole(value, others) else { return nil }
                found.insert(outcome)
            } else if value.hasSeparator, mentionsResult(value.text) {
                return nil
            }
        }
        guard let outcome = found.first, found.count == 1 else { return nil }
        // Boxes of a form to choose from, of which none is known to be ticked.
        if rows.contains(where: { Self.outcome($0.row.text).map { $0 != outcome } ?? false }) { return nil }
        return outcome == .positive && hasLooseNegation(rows) ? nil : outcome
    }

    /// Whether a negation is in the row above a word of a result, or alone in a row.
    private static func hasLooseNegation(_ rows: [LabelRow]) -> Bool {
        rows.indices.contains { index in
            let row = rows[index].row
            guard let last = row.words.last, negations.contains(last.text.lowercased()) else { return false }
            return row.words.count == 1 || index + 1 < rows.count && mentionsResult(rows[index + 1].row.text)
        }
    }

    /// Returns the result that a text is, and not one that it mentions.
    static func outcome(_ text: String) -> TestOutcome? {
        let characters = FoldedText(text).characters
        if let outcome = outcomes[characters] { return outcome }
        // A mark can change what a word means: `positive?`.
        guard characters.allSatisfy(\.isLetter) else { return nil }
        return tolerant.first { FoldedText.areNear($0.characters[...], characters[...]) }?.outcome
    }

    private static func mentionsResult(_ text: String) -> Bool {
        let folded = String(FoldedText(text).characters)
        return parts.contains { folded.contains($0) }
    }

    /// Whether no word can be missing in front of a value: it follows its label, or begins where other values do.
    ///
    /// Of `not detected`, a stain or a fold can leave `detected`.
    private static func isWhole(_ value: LabelledValue, _ others: [LabelledValue]) -> Bool {
        let folded = FoldedText(value.text).characters
        // The negation of these is another word, and not one more.
        if tolerant.contains(where: { FoldedText.areNear($0.characters[...], folded[...]) }) { return true }
        return !value.isBelow && value.gap <= widestSpace
            || others.contains { $0.isBelow == value.isBelow && abs($0.start - value.start) <= alignment }
    }
}
