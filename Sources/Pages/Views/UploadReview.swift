/// Contents of an uploaded file, and the mistakes in it.
package struct UploadReview: Equatable, Sendable {
    package var file: String
    /// Mistakes with their lines. With one of them nothing is saved.
    package var mistakes: [String]
    package var hasMistakes: Bool
    /// Number of further mistakes, in words; `nil` if all are listed.
    package var others: String?
    /// Contents of the file.
    package var facts: [LabelledFact]
    package var hasFacts: Bool
    /// Who leaves which course, and which courses lose their timetable, in sentences.
    package var leaves: [String]
    package var hasLeaves: Bool
    /// Notes on what is not a mistake, but may not be intended.
    package var notes: [String]
    package var hasNotes: Bool

    package init(
        file: String, mistakes: [String] = [], others: String? = nil, facts: [LabelledFact] = [],
        leaves: [String] = [], notes: [String] = []
    ) {
        self.file = file
        self.mistakes = mistakes
        hasMistakes = !mistakes.isEmpty
        self.others = others
        self.facts = facts
        hasFacts = !facts.isEmpty
        self.leaves = leaves
        hasLeaves = !leaves.isEmpty
        self.notes = notes
        hasNotes = !notes.isEmpty
    }
}
