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
    /// Letters and e-mails; `nil` if nobody was exposed.
    package var notices: NoticesPart?

    /// Exposed person.
    package struct Row: Equatable, Sendable {
        package var person: PersonLink
        package var risk: OfficerTag
        package var latest: String
        /// Number of reports by which the person was exposed.
        package var reports: String
        package var notified: String
        package var contact: String

        package init(
            person: PersonLink, risk: OfficerTag, latest: String, reports: String, notified: String, contact: String
        ) {
            self.person = person
            self.risk = risk
            self.latest = latest
            self.reports = reports
            self.notified = notified
            self.contact = contact
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
