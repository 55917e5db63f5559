extension PositiveReport {
    /// An entry of the list of positives.
    package struct Entry: Hashable, Sendable {
        package var scheme: String
        package var value: String
        /// Whether a health officer must confirm it before it is published.
        package var isPending: Bool

        package init(scheme: String, value: String, isPending: Bool = false) {
            self.scheme = scheme
            self.value = value
            self.isPending = isPending
        }
    }
}
