import Evidence
import InteractionStore
import MatcherCore
import Matching

/// Evidence of the exposures of a person. Exposures are stored without it, so their reports are matched once more.
struct ExposureReasons: Sendable {
    /// Distance of an exposure, and why the policy counts it.
    struct Reason: Equatable, Sendable {
        var near = "not known"
        var why: String
    }

    /// Evidence of the exposures that follow from one report.
    struct OfReport: Sendable {
        fileprivate var reasons: [Key: Reason] = [:]
        /// Why there are no reasons.
        fileprivate var problem: String?
        fileprivate var remarks: [String] = []
    }

    /// What makes an exposure of a report unique, as in the store.
    fileprivate struct Key: Hashable, Sendable {
        var subject: SubjectIdentity
        var place: Int64
        var start: Int64
    }

    /// Maximum number of reports that a page matches: each may take as long as the page of the report.
    static let mostReports = 10
    private static let changed =
        "not found again: the readings or encounters from which it was found were deleted or changed since"
    private static let further =
        "not looked up: only the latest \(mostReports) reports are matched for this page; open the report"

    private var reports: [String: OfReport] = [:]

    mutating func add(_ found: OfReport, of reference: String) { reports[reference] = found }

    /// Returns the reason of a stored exposure. One that was not found again is never without a word.
    func reason(of exposure: ExposureSummary, by reference: String) -> Reason {
        guard let report = reports[reference] else { return Reason(why: Self.further) }
        let key = Key(subject: exposure.subject, place: exposure.place, start: exposure.start)
        return report.reasons[key] ?? Reason(why: report.problem ?? Self.changed)
    }

    /// Sentences on what was left out, each once.
    var remarks: [String] { Set(reports.values.flatMap(\.remarks)).sorted() }
}

extension ExposureReasons.OfReport {
    /// Matches a report once more, and keeps the evidence of the exposures of some subjects.
    ///
    /// - Throws: `StoreError`, unless the data of the report is the cause: then the reasons say so.
    init(
        _ reference: String, of subjects: [SubjectIdentity], matching: ReportMatching, now: Int64,
        in store: InteractionStore
    ) throws {
        guard let report = try store.filedReport(reference) else {
            problem = "the report was deleted meanwhile"
            return
        }
        guard matching.policy.reportTypes[report.positive.reportType] > 0 else {
            problem = ExposureWords.nothingFollows(by: matching.policy.name)
            return
        }
        do {
            let findings = try matching.findings(of: report, in: store, now: now)
            let numbers = Set(try store.numbers(of: subjects).values)
            let found = findings.exposures.filter { numbers.contains($0.subject) }
            let names = try ExposureNames(found, store: store)
            for exposure in found {
                guard let subject = names.subjects[exposure.subject] else { continue }
                let key = ExposureReasons.Key(subject: subject, place: exposure.place, start: exposure.start)
                reasons[key] = ExposureReasons.Reason(
                    near: OfficerText.near(exposure),
                    why: ExposureWords.why(exposure, policy: matching.policy, names: names))
            }
            remarks = ReportContents.remarks(on: findings)
            if let warning = matching.policy.warning, !found.isEmpty {
                remarks.append("\(matching.policy.name): \(warning)")
            }
        } catch let error as StoreError where error.isOfData {
            problem = "the reasons cannot be shown: \(error.what)"
        }
    }
}

extension PageService {
    /// Looks for the evidence of exposures, the latest first. Other users of the store get their turn between two
    /// reports.
    ///
    /// - Throws: `StoreError`.
    func reasons(
        of exposures: [(exposure: ExposureSummary, report: String)], to subjects: [SubjectIdentity], now: Int64
    ) async throws -> ExposureReasons {
        var references: [String] = []
        for (_, report) in exposures where !references.contains(report) {
            if references.count == ExposureReasons.mostReports { break }
            references.append(report)
        }
        var reasons = ExposureReasons()
        let matching = reportMatching
        for reference in references {
            let found = try await api.work { store in
                try ExposureReasons.OfReport(reference, of: subjects, matching: matching, now: now, in: store)
            }
            reasons.add(found, of: reference)
        }
        return reasons
    }
}
