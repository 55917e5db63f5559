import Matching
import OperatorText

/// A report that a health officer has just filed or confirmed, with the exposures that follow, for programs.
struct FiledReportDocument: Encodable, Sendable {
    var report: String
    var received: String
    var type: String
    var subjects: [ExposureDocument.Subject]
    /// Whether exposures follow from it, by the site's policy.
    var counts: Bool
    /// Exposed subjects, who are notified.
    var exposed: [ExposureDocument.Subject]
    /// Number of exposures that are no risk by the policy.
    var belowRisk: Int
    /// Number of exposures that are too old for a notification.
    var tooOld: Int
    /// Number of exposures that rest on a gateway's unsynchronized clock.
    var doubtfulClocks: Int
    var policy: ExposureDocument.PolicyName
    /// Names and entries that had waited until the officer confirmed them.
    var confirmed: ReportDocument.Waiting?

    /// Creates the document of a report.
    ///
    /// - Parameters:
    ///   - exposures: all exposures that follow from it.
    ///   - exposed: subjects that are at a risk because of them, by number.
    ///   - earliest: time before which exposures ended that are not published, in seconds since 1970.
    init(
        _ report: FiledReport, exposures: [Exposure], exposed: [Int64: SubjectIdentity],
        policy: Policy,
        earliest: Int64, confirmed: FiledReport.Waiting? = nil
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

/// A withdrawn report, for programs.
struct WithdrawnReportDocument: Encodable, Sendable {
    var report: String
    var type: String
    /// Subjects that were exposed by it, whose exposures are withdrawn.
    var exposed: [ExposureDocument.Subject]
}
