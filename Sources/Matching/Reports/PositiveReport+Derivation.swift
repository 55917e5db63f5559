extension PositiveReport {
    /// Data derived from one seed or key. It counts only as long as none of it is in the list of positives, where
    /// anybody may have read it.
    package struct Derivation: Equatable, Sendable {
        /// The place of the seed or key in the report: `seeds[0]`.
        package var place: String
        package var subjects: [Subject]
        /// Entries that the list has, or would have, for the seed or key.
        package var entries: [Entry]
        /// Whether the entries are to be listed.
        package var isListed: Bool

        package init(place: String, subjects: [Subject], entries: [Entry], isListed: Bool) {
            self.place = place
            self.subjects = subjects
            self.entries = entries
            self.isListed = isListed
        }
    }
}
