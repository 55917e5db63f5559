/// Changes that the import of a list of people would make.
package struct PendingPeoplePage: PageContent {
    package static let template = PageTemplate.pendingPeople
    package var frame: Frame
    /// Time until which the list can be imported.
    package var until: String
    package var counts: [LabelledFact]
    package var groups: [Group]
    package var hasConflicts: Bool
    /// Value of the field that says whether others are kept: `yes` or empty.
    package var keep: String
    package let peoplePath = PageRoute.people.path

    /// People with the same kind of change.
    package struct Group: Equatable, Sendable {
        package var heading: String
        package var lines: [String]
        /// Number of people who are not listed, in words; `nil` if all are.
        package var more: String?

        package init(heading: String, lines: [String], more: String? = nil) {
            self.heading = heading
            self.lines = lines
            self.more = more
        }
    }

    package init(
        _ frame: Frame, until: String, counts: [LabelledFact], groups: [Group], hasConflicts: Bool,
        keepsOthers: Bool
    ) {
        self.frame = frame
        self.until = until
        self.counts = counts
        self.groups = groups
        self.hasConflicts = hasConflicts
        keep = keepsOthers ? "yes" : ""
    }
}
