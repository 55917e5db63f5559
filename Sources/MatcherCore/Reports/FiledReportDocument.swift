package import Matching
import OperatorText
package import People

/// A report that a health officer has just filed or confirmed, with the exposures that follow, for programs.
package struct FiledReportDocument: Encodable, Sendable {
    package var report: String
    package var received: String
    package var type: String
    package var subjects: [ExposureDocument.Subject]
    /// Whether exposures follow from it, by the site's policy.
    package var counts: Bool
    /// Exposed subjects, who are notified.
    package var exposed: [ExposureDocument.Subject]
    /// Number of exposures that are no risk by the policy.
    package var belowRisk: Int
    /// Number of exposures that are too old for a notification.
    package var tooOld: Int
    /// Number of exposures that rest on a gateway's unsynchronized clock.
    package var doubtfulClocks: Int
    package var policy: ExposureDocument.PolicyName
    /// Names and entries that had waited until the officer confirmed them.
    package var confirmed: ReportDocument.Waiting?

    /// Creates the document of a report.
    ///
    /// - Parameters:
    ///   - exposures: all exposures that follow from it.
    ///   - exposed: subjects that are at a risk because of them, by number.
    ///   - people: people of the register to whom subjects belong.
    ///   - earliest: time before which exposures ended that are not published, in seconds since 1970.
    package init(
        _ report: FiledReport, exposures: [Exposure], exposed: [Int64: SubjectIdentity],
        policy: Policy,
        earliest: Int64, confirmed: FiledReport.Waiting? = nil, people: [SubjectIdentity: Person] = [:]
    ) {
        self.report = report.reference
        received = InstantText.utc(report.received)
        type = report.positive.reportType.rawValue
        subjects = Set(report.subjects.map(\.identity)).sorted().map {
            ExposureDocument.Subject($0, person: people[$0])
        }
        counts = policy.reportTypes[report.positive.reportType] > 0
        self.exposed = exposed.values.sorted().map { ExposureDocument.Subject($0, person: people[$0]) }
        belowRisk = exposures.count { $0.end >= earliest && exposed[$0.subject] == nil }
        tooOld = exposures.count { $0.end < earliest }
        doubtfulClocks = exposures.count { $0.explanation.missing.contains(.clock) }
        self.confirmed = confirmed.map(ReportDocument.Waiting.init)
        self.policy = .init(name: policy.name, version: policy.version)
    }
}

/// A withdrawn report, for programs.
package struct WithdrawnReportDocument: Encodable, Sendable {
    package var report: String
    package var type: String
    /// Subjects that were exposed by it, whose exposures are withdrawn.
    package var exposed: [ExposureDocument.Subject]

    package init(report: String, type: String, exposed: [ExposureDocument.Subject]) {
        self.report = report
        self.type = type
        self.exposed = exposed
    }
}
