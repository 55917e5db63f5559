extension FiledReport {
    /// The amount of a report that waits for a health officer's confirmation: nothing follows from it before.
    package struct Waiting: Equatable, Sendable {
        /// Number of names under which gateways may have heard the reporter.
        package var names = 0
        /// Number of entries of the list of positives.
        package var entries = 0

        package init(names: Int = 0, entries: Int = 0) {
            self.names = names
            self.entries = entries
        }

        package var isEmpty: Bool { names == 0 && entries == 0 }
    }
}
