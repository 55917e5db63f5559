import Evidence
import InteractionStore
import MatcherCore
import Matching
import OperatorText
import Pages

/// What the page of a report shows, as read from the store.
struct ReportContents: Sendable {
    var stored: StoredReport
    var row: ReportRow
    var symptoms: String?
    /// Who was exposed, in a sentence.
    var summary = ""
    var exposures: [ReportPage.Exposed] = []
    /// Whether exposures have their distance and the policy's reason.
    var hasReasons = false
    var remarks: [String] = []
    /// Why the reasons could not be found.
    var problem: String?
    /// People who can be told by letter or e-mail.
    var recipients: NoticeRecipients

    /// Maximum number of exposures that a page shows.
    private static let mostExposures = 500

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
        let known = try store.exposures(ofReport: stored.report.number, limit: Self.mostExposures)
        recipients = try NoticeRecipients(Set(known.map(\.subject)), in: store)
        let people = try ExposedNames(Set(known.map(\.subject)), matching.policy, now: now, in: store)
        summary = people.summary
        if known.count == Self.mostExposures {
            remarks.append("Only \(Self.mostExposures) exposures are listed.")
        }
        if showsReasons {
            do {
                try explain(people, matching: matching, text: text, now: now, in: store)
                return
            } catch let error as StoreError where error.isOfData {
                hasReasons = false
                problem = "The reasons cannot be shown: \(error.what)."
            }
        }
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
        _ people: ExposedNames, matching: ReportMatching, text: OfficerText, now: Int64, in store: InteractionStore
    ) throws {
        hasReasons = true
        guard matching.policy.reportTypes[stored.report.positive.reportType] > 0,
            let report = try store.filedReport(stored.report.reference)
        else { return }
        let findings = try matching.findings(of: report, in: store, now: now)
        let found = Array(findings.exposures.prefix(Self.mostExposures))
        let names = try ExposureNames(found, store: store)
        exposures = found.compactMap { exposure in
            // Others were erased meanwhile, or are so new that they are not stored yet.
            guard let subject = names.subjects[exposure.subject], people.has(subject) else { return nil }
            let missing = exposure.explanation.missing.map { ExposureWords.text($0, names: names) }
            let why = [ExposureWords.summary(exposure, policy: matching.policy, names: names)] + missing
            return ReportPage.Exposed(
                person: people.names.link(subject), risk: people.tag(subject),
                when: text.span(exposure.start, exposure.end), minutes: ExposureWords.minutes(exposure.minutes),
                near: OfficerText.near(exposure), place: text.place(names.places[exposure.place]),
                notified: people.notified(subject, text), why: why.joined(separator: "; "))
        }
        remarks += findings.leftOut.union(findings.flooding).sorted().map { Self.sentence(ExposureWords.leftOut($0)) }
        if let note = ExposureWords.withoutReadings(findings.daysWithoutReadings) {
            remarks.append(Self.sentence(note))
        }
        if let warning = matching.policy.warning, !exposures.isEmpty {
            remarks.append("\(matching.policy.name): \(warning)")
        }
    }

    private static func sentence(_ text: String) -> String { text.prefix(1).uppercased() + text.dropFirst() + "." }
}
