package import Evidence
package import InteractionStore
import MatcherCore
package import Matching
import OperatorText

/// Derivation of exposures from reports, which are stored with the notice of each subject.
package struct ReportMatching: Sendable {
    package var policy: Policy
    /// Number of days for which interactions are kept; exposures that ended earlier are not published again.
    package var retention: Int64 = 14
    /// Seconds after the end of a day until phones are notified of it; `nil`: they are notified at once.
    package let phoneDelay: Int64?

    package init(policy: Policy, retention: Int64 = 14, phoneDelay: Int64?) {
        self.policy = policy
        self.retention = retention
        self.phoneDelay = phoneDelay
    }

    /// Matches a report again, since records may arrive late.
    ///
    /// - Parameter now: seconds since 1970.
    /// - Returns: sources with more encounters, or exposures, than are possible: a part of them was left out.
    /// - Throws: `StoreError`.
    @discardableResult
    package func match(
        _ report: FiledReport, in store: InteractionStore, now: Int64
    ) throws -> Set<EncounterSource> {
        guard policy.reportTypes[report.positive.reportType] > 0 else {
            // There may be exposures by another policy.
            _ = try store.setExposures(
                [], of: report.number, keepsForgotten: false, isMatched: false, as: report)
            return []
        }
        let findings = try self.findings(of: report, in: store, now: now)
        let exposures = findings.exposures
            .filter { $0.end >= now - retention * 86_400 }
        let names = try ExposureNames(exposures, store: store)
        // A subject without a name was erased meanwhile.
        let named = exposures.filter { names.subjects[$0.subject] != nil }.map { exposure in
            ExposureSummary(exposure, of: names.subject(exposure.subject))
        }
        _ = try store.setExposures(named, of: report.number, leftOut: findings.leftOut, as: report)
        return findings.leftOut.union(findings.flooding)
    }

    /// Returns the exposures that follow from a report.
    ///
    /// - Throws: `StoreError`.
    package func findings(
        of report: FiledReport, in store: InteractionStore, now: Int64
    ) throws -> ExposureSearch.Findings {
        let subjects = report.subjects.map {
            PositiveReport.Subject(identity: $0.identity, since: $0.since, until: min($0.until, now))
        }
        // A person is not notified of an exposure to their own badge because their phone is in another of their
        // reports.
        let devices = try store.devices(ofReporter: report.number)
        return try ExposureSearch(
            subjects: subjects, positive: report.positive, policy: policy, devices: devices,
            exposedBefore: try store.exposed(by: report.number)
        ).run(store)
    }

    /// Returns the time before which exposures ended that are no longer published, in seconds since 1970.
    package func earliest(now: Int64) -> Int64 { now - daysTold * 86_400 }

    /// Number of days for which exposures are published: as long as interactions are kept and the policy looks back.
    package var daysTold: Int64 { telling.daysTold }

    var telling: ExposureTelling {
        ExposureTelling(policy: policy, retention: retention, phoneDelay: phoneDelay)
    }

    /// Stores a subject's notice, as it follows from its exposures.
    ///
    /// - Throws: `StoreError`.
    func announce(_ stale: StaleNotice, in store: InteractionStore, now: Int64) throws {
        let subject = stale.subject
        let told = telling.told(
            try store.exposures(of: subject, endedBefore: telling.end(for: subject, now: now)), to: subject, now: now)
        let risk = told.risk
        let content = NoticeContent(
            level: risk.level, label: risk.label, days: told.days.count,
            latest: told.days.first.map { policy.days.start(of: $0) }, policy: policy.name,
            policyVersion: policy.version, clockIsDoubtful: told.clockIsDoubtful)
        let before = try store.notice(for: subject)
        try store.setNotice(
            risk.exposures.isEmpty ? nil : content, for: stale,
            isNews: !risk.exposures.isEmpty && content.isNews(after: before), now: now)
    }
}

extension FiledReport {
    /// Returns the reported names that are fixed beacons, from which nothing follows.
    ///
    /// - Throws: `StoreError`.
    package func fixedBeacons(in store: InteractionStore) throws -> Set<SubjectIdentity> {
        try store.fixedBeacons(among: subjects.map(\.identity), since: subjects.map(\.since).min() ?? 0)
    }
}
