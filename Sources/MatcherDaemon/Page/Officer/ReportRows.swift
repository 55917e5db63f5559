import InteractionStore
import Matching
import Pages

/// Reports as rows of a list.
struct ReportRows: Sendable {
    var text: OfficerText

    /// Returns the rows of reports, with the names of their people.
    ///
    /// - Throws: `StoreError`.
    func rows(_ stored: [StoredReport], in store: InteractionStore) throws -> [ReportRow] {
        let subjects = stored.flatMap { $0.report.subjects.map(\.identity) }
        let names = try ShownNames(Set(subjects), in: store)
        return stored.map { row($0, names) }
    }

    func row(_ stored: StoredReport, _ names: ShownNames) -> ReportRow {
        let report = stored.report
        let others = report.subjects.isEmpty ? "Codes of a phone whose owner is not known" : "and codes of a phone"
        return ReportRow(
            path: Self.path(report.reference), state: OfficerText.state(of: stored),
            received: text.time(report.received), test: text.day(ifKnown: report.positive.test),
            onset: text.day(ifKnown: report.positive.onset), who: names.links(report.subjects.map(\.identity)),
            others: stored.hasOthers || report.subjects.isEmpty ? others : nil,
            exposed: stored.isMatched || stored.exposed > 0 ? String(stored.exposed) : "not matched")
    }

    /// Returns the path of a report.
    static func path(_ reference: String) -> String { PageRoute.reports.path + "/" + FormFields.encode(reference) }
}
