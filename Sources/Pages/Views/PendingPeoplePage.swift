/// Changes that the import of a list of people would make.
package struct PendingPeoplePage: PageContent {
    package static let template = PageTemplate.pendingPeople
    package var frame: Frame
    /// Time until which the list can be imported.
    package var until: String
    package var counts: [LabelledFact]
    package var groups: [Group]
    package var hasConflicts: Bool
    /// Whether badges or phones pass to other people, which the form asks to agree to.
    package var passesOn: Bool
    /// Value of the field that says whether others are kept: `yes` or empty.
    package var keep: String
    /// Value of the field that agrees to these changes and no others.
    package var seen: String
    package let peoplePath = PageRoute.people.path

    /// People with the same kind of change.
    package struct Group: Equatable, Sendable {
        package var heading: String
        /// What the change means, in words; `nil` if that is clear.
        package var meaning: String?
        package var lines: [String]
        /// Number of people who are not listed, in words; `nil` if all are.
        package var more: String?

        package init(heading: String, meaning: String? = nil, lines: [String], more: String? = nil) {
            self.heading = heading
            self.meaning = meaning
            self.lines = lines
            self.more = more
        }
    }

    package init(
        _ frame: Frame, until: String, counts: [LabelledFact], groups: [Group], hasConflicts: Bool,
        passesOn: Bool, keepsOthers: Bool, seen: String
    ) {
        self.frame = frame
        self.until = until
        self.counts = counts
        self.groups = groups
        self.hasConflicts = hasConflicts
        self.passesOn = passesOn
        keep = keepsOthers ? "yes" : ""
        self.seen = seen
    }
}
