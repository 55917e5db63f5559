/// List of reports.
package struct ReportsPage: PageContent {
    package static let template = PageTemplate.reports
    package var frame: Frame
    package var filters: [Filter]
    /// What the list has, in words.
    package var summary: String
    package var reports: [ReportRow]
    /// Path of the page with older reports.
    package var older: String?
    /// Reports that are gone, with who refused or withdrew them; empty where they are not listed.
    package var gone: [Gone]
    package var hasGone: Bool

    /// Choice of what is listed.
    package struct Filter: Equatable, Sendable {
        package var label: String
        package var filterPath: String
        package var isChosen: Bool

        package init(_ label: String, path: String, isChosen: Bool) {
            self.label = label
            filterPath = path
            self.isChosen = isChosen
        }
    }

    /// Report that was refused or withdrawn.
    package struct Gone: Equatable, Sendable {
        package var reference: String
        package var state: OfficerTag
        package var by: String
        package var when: String
        package var reason: String

        package init(reference: String, state: OfficerTag, by: String, when: String, reason: String) {
            self.reference = reference
            self.state = state
            self.by = by
            self.when = when
            self.reason = reason
        }
    }

    package init(
        _ frame: Frame, filters: [Filter], summary: String, reports: [ReportRow], older: String?, gone: [Gone]
    ) {
        self.frame = frame
        self.filters = filters
        self.summary = summary
        self.reports = reports
        self.older = older
        self.gone = gone
        hasGone = !gone.isEmpty
    }
}
