import Evidence
import InteractionStore
import MatcherCore
import Matching
import OperatorText
import Pages

/// Contents of the page of a report, as read from the store.
struct ReportContents: Sendable {
    var stored: StoredReport
    var row: ReportRow
    var symptoms: String?
    /// Summary of the exposed people, in a sentence.
    var summary = ""
    var exposures: [ReportPage.Exposed] = []
    /// Whether exposures have their distance and the policy's reason.
    var hasReasons = false
    var remarks: [String] = []
    /// Error that prevented the search for the reasons.
    var problem: String?
    /// People who can be told by letter or e-mail.
    var recipients: NoticeRecipients

    /// Maximum number of exposures that a page shows.
    private static let mostExposures = 500
    /// Sentence on exposures that are not listed.
    private static let moreExposures =
        "Only \(mostExposures) exposures are listed. People who are not listed are notified nevertheless."

    /// Reads a report.
    ///
    /// - Parameter showsReasons: whether the report is matched once more, for the distances and the reasons: exposures
    ///   are stored without them.
    /// - Returns: `nil` if there is no such report.
    /// - Throws: `StoreError`.
    init?(
        _ reference: String, showsReasons: Bool, matching: ReportMatching, text: OfficerText, now: Int64,
        in store: InteractionStore
    ) throws {
        guard let stored = try store.storedReport(reference) else { return nil }
        self.stored = stored
        let names = try ShownNames(Set(stored.report.subjects.map(\.identity)), in: store)
        row = ReportRows(text: text).row(stored, names)
        symptoms = ReportDocument(stored.report).symptoms?.text
        let exposed = try ExposedByReport(stored.report.number, in: store)
        recipients = try NoticeRecipients(exposed.subjects, in: store)
        var people = try ExposedNames(exposed.subjects, in: store)
        summary = stored.isMatched ? people.summary : Self.unmatched(stored, matching.policy)
        if let remark = exposed.remark { remarks.append(remark) }
        if showsReasons {
            do {
                try explain(&people, matching: matching, text: text, now: now, in: store)
                return
            } catch let error as StoreError where error.isOfData {
                hasReasons = false
                problem = "The reasons cannot be shown: \(error.what)."
            }
        }
        let found = try store.exposures(ofReport: stored.report.number, limit: Self.mostExposures + 1)
        let known = found.prefix(Self.mostExposures)
        if found.count > known.count { remarks.append(Self.moreExposures) }
        try people.assess(Set(known.map(\.subject)), matching.policy, now: now, in: store)
        let places = try store.places(Set(known.map(\.place)))
        exposures = known.map { exposure in
            ReportPage.Exposed(
                person: people.names.link(exposure.subject), risk: people.tag(exposure.subject),
                when: text.span(exposure.start, exposure.end), minutes: ExposureWords.minutes(exposure.minutes),
                place: text.place(places[exposure.place]), notified: people.notified(exposure.subject, text))
        }
    }

    /// Matches the report once more, and takes from that what the exposures rest on.
    private mutating func explain(
        _ people: inout ExposedNames, matching: ReportMatching, text: OfficerText, now: Int64,
        in store: InteractionStore
    ) throws {
        hasReasons = true
        guard matching.policy.reportTypes[stored.report.positive.reportType] > 0,
            let report = try store.filedReport(stored.report.reference)
        else { return }
        let findings = try matching.findings(of: report, in: store, now: now)
        let found = Array(findings.exposures.prefix(Self.mostExposures))
        let names = try ExposureNames(found, store: store)
        let listed = Set(found.compactMap { names.subjects[$0.subject] }.filter(people.has))
        try people.assess(listed, matching.policy, now: now, in: store)
        exposures = found.compactMap { exposure in
            // Others were erased meanwhile, or are so new that they are not stored yet.
            guard let subject = names.subjects[exposure.subject], people.has(subject) else { return nil }
            return ReportPage.Exposed(
                person: people.names.link(subject), risk: people.tag(subject),
                when: text.span(exposure.start, exposure.end), minutes: ExposureWords.minutes(exposure.minutes),
                near: OfficerText.near(exposure), place: text.place(names.places[exposure.place]),
                notified: people.notified(subject, text),
                why: ExposureWords.why(exposure, policy: matching.policy, names: names))
        }
        if findings.exposures.count > found.count { remarks.append(Self.moreExposures) }
        remarks += Self.remarks(on: findings)
        if let warning = matching.policy.warning, !exposures.isEmpty {
            remarks.append("\(matching.policy.name): \(warning)")
        }
    }

    /// Returns sentences on what a search left out.
    static func remarks(on findings: ExposureSearch.Findings) -> [String] {
        var notes = findings.leftOut.union(findings.flooding).sorted().map { ExposureWords.leftOut($0) }
        if let note = ExposureWords.withoutReadings(findings.daysWithoutReadings) { notes.append(note) }
        return notes.map(\.asSentence)
    }

    /// Returns what is known of a report that was not matched: that nobody was found would be no all-clear.
    private static func unmatched(_ stored: StoredReport, _ policy: Policy) -> String {
        guard policy.reportTypes[stored.report.positive.reportType] > 0 else {
            return "Not matched: nothing follows from this report yet, so nobody has looked who was exposed."
        }
        return
            (stored.exposed > 0
            ? "Not matched yet: more people may have been exposed by this report than are listed. "
            : "Not matched yet: who was exposed by this report is not known. ") + whenMatched
    }

    /// Sentences on when an unmatched report is matched, and on the remedy if it is not.
    static let whenMatched =
        "Reports are matched again every five minutes: refresh this page then. If this stays, the log of the matcher "
        + "has the reason (report matching failed)."
}
