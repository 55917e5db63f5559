/// People who were exposed lately, over all reports.
package struct ExposuresPage: PageContent {
    package static let template = PageTemplate.exposures
    package var frame: Frame
    package var filters: [ReportsPage.Filter]
    package var levels: [ReportsPage.Filter]
    package var summary: String
    package var people: [Row]
    package var hasPeople: Bool
    package var older: String?
    /// Part for letters and e-mails; `nil` if nobody was exposed.
    package var notices: NoticesPart?

    /// Exposed person.
    package struct Row: Equatable, Sendable {
        package var person: PersonLink
        package var risk: OfficerTag
        package var latest: String
        /// Minutes and place of the latest exposure.
        package var minutes: String
        package var place: String
        /// Number of reports by which the person was exposed.
        package var reports: String
        package var notified: String
        package var contact: String
        /// Path of all exposures of the person, with their places, distances and reasons.
        package var reasonsPath: String

        package init(
            person: PersonLink, risk: OfficerTag, latest: String, minutes: String, place: String, reports: String,
            notified: String, contact: String
        ) {
            self.person = person
            self.risk = risk
            self.latest = latest
            self.minutes = minutes
            self.place = place
            self.reports = reports
            self.notified = notified
            self.contact = contact
            reasonsPath = person.path + "&why=1#exposures"
        }
    }

    package init(
        _ frame: Frame, filters: [ReportsPage.Filter], levels: [ReportsPage.Filter], summary: String, people: [Row],
        older: String?, notices: NoticesPart? = nil
    ) {
        self.frame = frame
        self.filters = filters
        self.levels = levels
        self.summary = summary
        self.people = people
        hasPeople = !people.isEmpty
        self.older = older
        self.notices = notices
    }
}
