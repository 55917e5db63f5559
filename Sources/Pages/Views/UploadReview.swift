/// What an uploaded file has, and what is wrong with it.
package struct UploadReview: Equatable, Sendable {
    package var file: String
    /// Mistakes with their lines. With one of them nothing is saved.
    package var mistakes: [String]
    package var hasMistakes: Bool
    /// Number of further mistakes, in words; `nil` if all are listed.
    package var others: String?
    /// What the file has.
    package var facts: [Fact]
    package var hasFacts: Bool
    /// What is not a mistake, but may not be meant.
    package var notes: [String]
    package var hasNotes: Bool

    package struct Fact: Equatable, Sendable {
        package var label: String
        package var value: String

        package init(_ label: String, _ value: String) {
            self.label = label
            self.value = value
        }
    }

    package init(
        file: String, mistakes: [String] = [], others: String? = nil, facts: [Fact] = [], notes: [String] = []
    ) {
        self.file = file
        self.mistakes = mistakes
        hasMistakes = !mistakes.isEmpty
        self.others = others
        self.facts = facts
        hasFacts = !facts.isEmpty
        self.notes = notes
        hasNotes = !notes.isEmpty
    }
}
