package import Matching
import OperatorText

/// Schedule of the matching of reports: which reports are matched when, and when the notices of all exposed subjects
/// are made again. Pure.
package struct MatchingSchedule: Sendable {
    package typealias Instant = ContinuousClock.Instant

    /// Number of the latest report that was matched.
    private var last: Int64 = 0
    private var matchedAllAt: Instant?
    /// Days of which phones were notified in the last round, since 1970.
    private var phoneDays: Range<Int64>?
    /// Basis of the present notices.
    private var basis: Basis?

    package init() {}

    /// Interval at which all reports are matched again: records of an outage arrive late.
    package static let interval: Duration = .seconds(300)

    fileprivate struct Basis: Equatable, Sendable {
        var policy: Policy
        /// The site's day since 1970.
        var day: Int64
    }

    /// One round of matching.
    package struct Round: Sendable {
        /// Whether this is the first round that matches all reports. Notices that were read while this process was not
        /// running may still be retained.
        package var isFirst: Bool
        /// Whether all reports are matched, otherwise only those after `last`.
        package var isAll: Bool
        /// Number of the report after which reports are matched.
        package var last: Int64
        /// Types of the reports that are matched.
        package var types: [ReportType]
        /// Whether the notices of all exposed subjects are made again. Phones are notified of exposures that ended on a
        /// past day, even if no process was running at the time for this. After a change of the policy, all subjects
        /// are notified of what follows from it, including that exposures are too old.
        package var renewsNotices: Bool
        fileprivate var phoneDays: Range<Int64>?
        fileprivate var basis: Basis
    }

    /// Returns the round that is due.
    ///
    /// - Parameters:
    ///   - phoneDays: days of which phones are notified now, since 1970; `nil` if they are notified at once.
    ///   - now: seconds since 1970.
    package func round(policy: Policy, phoneDays: Range<Int64>?, now: Int64, at instant: Instant) -> Round {
        // Phones are notified of a past day once, and completely.
        let isNewDay = phoneDays != nil && self.phoneDays != phoneDays
        let basis = Basis(policy: policy, day: policy.days.day(of: now))
        let isNewBasis = self.basis != basis
        let isAll = isNewDay || isNewBasis || matchedAllAt.map { instant - $0 >= Self.interval } ?? true
        return Round(
            isFirst: matchedAllAt == nil, isAll: isAll, last: isAll ? 0 : last,
            // By a new policy, nothing may follow from reports that counted by the previous one.
            types: ReportType.allCases.filter { isNewBasis || policy.reportTypes[$0] > 0 },
            renewsNotices: isNewDay || isNewBasis, phoneDays: phoneDays, basis: basis)
    }

    /// Records that a round is complete. A round that failed is due again.
    ///
    /// - Parameter last: number of the latest report that was matched; `nil` if there was none.
    package mutating func complete(_ round: Round, last: Int64?, at instant: Instant) {
        self.last = max(self.last, last ?? 0)
        if round.isAll { matchedAllAt = instant }
        (phoneDays, basis) = (round.phoneDays, round.basis)
    }
}
