import InteractionStore
import MQTTBridge
import Matching

/// Finds what follows from reports, and keeps it with what each subject is to be told.
struct ReportMatching: Sendable {
    var policy: Policy

    /// Matches a report anew, since records may come late.
    ///
    /// - Parameter now: seconds since 1970.
    /// - Returns: whose exposures changed.
    /// - Throws: `StoreError`.
    func match(
        _ report: InteractionStore.StoredReport, in store: InteractionStore, now: Int64
    ) throws -> Set<SubjectIdentity> {
        guard policy.reportTypes[report.positive.reportType] > 0 else { return [] }
        let exposures = try self.exposures(of: report, in: store, now: now)
        let names = try ExposureNames(exposures, store: store)
        let stored = exposures.map { exposure in
            InteractionStore.StoredExposure(
                subject: names.subject(exposure.subject), place: exposure.place, start: exposure.start,
                end: exposure.end, minutes: exposure.minutes,
                // Nobody is told who it was.
                document: String(
                    decoding: JSON.encode(ExposureDocument(exposure, positive: nil, policy: policy, names: names)),
                    as: UTF8.self))
        }
        return try store.setExposures(stored, of: report.number)
    }

    /// - Throws: `StoreError`.
    func exposures(
        of report: InteractionStore.StoredReport, in store: InteractionStore, now: Int64
    ) throws -> [Exposure] {
        let numbers = try store.numbers(of: report.subjects.map(\.identity))
        let positives = report.subjects.compactMap { subject in
            numbers[subject.identity].map {
                InteractionStore.Positive(subject: $0, since: subject.since, until: min(subject.until, now))
            }
        }
        let encounters = try store.encounters(
            of: positives.sorted { $0.subject < $1.subject }, rule: policy.contact)
        let fixed = try store.fixedSubjects(since: report.subjects.map(\.since).min() ?? 0)
        return Assessment(policy: policy, positive: report.positive, own: Set(numbers.values), fixed: fixed)
            .exposures(encounters)
    }

    /// Makes of a subject's exposures what it is to be told.
    ///
    /// - Throws: `StoreError`.
    func announce(_ subject: SubjectIdentity, in store: InteractionStore, now: Int64) throws {
        let exposures = try store.exposures(of: subject)
        let risk = Risk(exposures, policy: policy, now: now)
        let content =
            exposures.isEmpty
            ? ""
            : String(
                decoding: JSON.encode(
                    NoticeContent(
                        level: risk.level.rawValue, label: risk.label, exposures: risk.exposures.count,
                        latest: risk.exposures.map(\.end).max().map(ExposureWords.time),
                        policy: .init(name: policy.name, version: policy.version))), as: UTF8.self)
        try store.setNotice(content, for: subject, now: now)
    }
}

/// What a subject is told: how much, not with whom or where.
private struct NoticeContent: Encodable {
    var level: String
    var label: String
    var exposures: Int
    var latest: String?
    var policy: ExposureDocument.PolicyName
}
