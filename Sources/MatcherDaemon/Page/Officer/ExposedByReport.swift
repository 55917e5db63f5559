import InteractionStore
import Matching

/// Badges and phones that one report exposed, however many exposures each has.
struct ExposedByReport: Sendable {
    /// Maximum number of badges and phones: what five gateways can add to a report with `ExposureBound`. Nobody is near
    /// so many people in two weeks.
    static let most = 10_000

    var subjects: Set<SubjectIdentity>
    /// Whether there are more.
    var isCut: Bool

    /// Reads what a report exposed.
    ///
    /// - Parameters:
    ///   - report: number of the report.
    ///   - limit: maximum number of badges and phones.
    /// - Throws: `StoreError`.
    init(_ report: Int64, limit: Int = ExposedByReport.most, in store: InteractionStore) throws {
        let found = try store.exposedSubjects(ofReport: report, limit: limit + 1)
        subjects = Set(found.prefix(limit))
        isCut = found.count > limit
    }

    /// What to do if there are more, in sentences; `nil` if there are none.
    var remark: String? {
        isCut
            ? "More than \(subjects.count) badges and phones were exposed by this report. Letters and e-mails are for "
                + "the owners of \(subjects.count) of them: open Exposures to reach the others."
            : nil
    }
}
