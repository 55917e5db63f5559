/// List of reports.
package struct ReportsPage: PageContent {
    package static let template = PageTemplate.reports
    package var frame: Frame
    /// Results that people sent in, about which nobody has decided.
    package var sentIn: [SentIn]
    package var hasSentIn: Bool
    /// Note that there are more of them, in a sentence.
    package var moreSentIn: String?
    package var filters: [Filter]
    /// Description of the list, in words.
    package var summary: String
    package var reports: [ReportRow]
    /// Path of the page with older reports.
    package var older: String?
    /// Reports that are gone, with who refused or withdrew them; empty where they are not listed.
    package var gone: [Gone]
    package var hasGone: Bool

    /// Result that somebody sent in.
    package struct SentIn: Equatable, Sendable {
        package var resultPath: String
        package var sent: String
        /// Name and number as typed.
        package var sender: String
        package var sample: String
        package var proof: String

        package init(path: String, sent: String, sender: String, sample: String, proof: String) {
            resultPath = path
            self.sent = sent
            self.sender = sender
            self.sample = sample
            self.proof = proof
        }
    }

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
        _ frame: Frame, filters: [Filter], summary: String, reports: [ReportRow], older: String?, gone: [Gone],
        sentIn: [SentIn] = [], moreSentIn: String? = nil
    ) {
        self.frame = frame
        self.filters = filters
        self.summary = summary
        self.reports = reports
        self.older = older
        self.gone = gone
        hasGone = !gone.isEmpty
        self.sentIn = sentIn
        hasSentIn = !sentIn.isEmpty
        self.moreSentIn = moreSentIn
    }
}
