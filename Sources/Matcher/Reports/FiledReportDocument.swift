import InteractionStore
import Matching
import OperatorText

/// A report that a health officer has just filed or confirmed, with what follows from it, for programs.
struct FiledReportDocument: Encodable, Sendable {
    var report: String
    var received: String
    var type: String
    var subjects: [ExposureDocument.Subject]
    /// Whether exposures follow from it, by the site's policy.
    var counts: Bool
    /// Who was exposed, and is told.
    var exposed: [ExposureDocument.Subject]
    /// Exposures that are no risk by the policy.
    var belowRisk: Int
    /// Exposures so long ago that nobody is notified of them.
    var tooOld: Int
    /// Exposures that rest on a gateway's clock that wasn't synchronized.
    var doubtfulClocks: Int
    var policy: ExposureDocument.PolicyName
    /// What had waited until the officer confirmed it.
    var confirmed: ReportDocument.Waiting?

    /// - Parameters:
    ///   - exposures: all that follow from it.
    ///   - exposed: who is at a risk because of them, by number.
    ///   - earliest: what ended before isn't told, in seconds since 1970.
    init(
        _ report: InteractionStore.StoredReport, exposures: [Exposure], exposed: [Int64: SubjectIdentity],
        policy: Policy,
        earliest: Int64, confirmed: InteractionStore.Waiting? = nil
    ) {
        self.report = report.reference
        received = InstantText.utc(report.received)
        type = report.positive.reportType.rawValue
        subjects = Set(report.subjects.map(\.identity)).sorted().map(ExposureDocument.Subject.init)
        counts = policy.reportTypes[report.positive.reportType] > 0
        self.exposed = exposed.values.sorted().map(ExposureDocument.Subject.init)
        belowRisk = exposures.count { $0.end >= earliest && exposed[$0.subject] == nil }
        tooOld = exposures.count { $0.end < earliest }
        doubtfulClocks = exposures.count { $0.explanation.missing.contains(.clock) }
        self.confirmed = confirmed.map(ReportDocument.Waiting.init)
        self.policy = .init(name: policy.name, version: policy.version)
    }
}

/// A report that was taken back, for programs.
struct WithdrawnReportDocument: Encodable, Sendable {
    var report: String
    var type: String
    /// Who had been exposed by it, from whom it is taken back.
    var exposed: [ExposureDocument.Subject]
}
