package import Matching
import OperatorText

/// Rules of what a subject learns of its exposures, and when. Pure.
///
/// A subject learns only days. With more detail, a person who carries several badges, or leaves one on a desk, would
/// learn where and when somebody positive was present. A gateway that invents different minutes with each badge would
/// learn who this must be.
///
/// A phone reports its own stays. If it were notified at once, a person who invents stays of half an hour each would
/// learn from the exposures where somebody positive was. A phone is therefore notified when no stay of that day can be
/// sent any more. Its notices change only then, at the change of the day, or when a report arrives. An exposure that
/// ceases to count does not change them at another moment either.
package struct ExposureTelling: Sendable {
    package var policy: Policy
    /// Number of days for which interactions are kept.
    package var retention: Int64
    /// Seconds after the end of a day until phones are notified of it; `nil`: they are notified at once.
    package var phoneDelay: Int64?

    package init(policy: Policy, retention: Int64, phoneDelay: Int64? = nil) {
        self.policy = policy
        self.retention = retention
        self.phoneDelay = phoneDelay
    }

    /// Risk and exposures of a subject, as far as it may know them.
    package struct Told: Equatable, Sendable {
        package var risk: Risk<ExposureSummary>
        /// Days with exposures, since 1970, the latest first.
        package var days: [Int64]
        /// Whether a gateway that reported one of the exposures had an unsynchronized clock; `false` for a phone that
        /// is notified later.
        package var clockIsDoubtful = false
        /// Reasons to doubt the exposures, in sentences without numbers.
        package var missing: [String] { clockIsDoubtful ? [ClockDoubt.text] : [] }
    }

    /// Number of days for which exposures are published: as long as interactions are kept and the policy looks back.
    package var daysTold: Int64 { min(retention, policy.risk.days) }

    /// Returns the days of which phones are notified, since 1970; `nil` if they are notified at once.
    ///
    /// A day becomes too old at midnight, before the interactions that ended on it are deleted: that happens at the
    /// time of the day at which they ended.
    ///
    /// - Parameter now: seconds since 1970.
    package func phoneDays(now: Int64) -> Range<Int64>? {
        guard let phoneDelay else { return nil }
        let end = policy.days.day(of: now - phoneDelay)
        let kept = max(phoneDelay / 86_400 + 1, daysTold - 1)
        return min(policy.days.day(of: now) - kept, end)..<end
    }

    /// Returns the end of what is published to a subject, in seconds since 1970: exposures that end later are not
    /// published yet. Returns `nil` if all of them are.
    package func end(for subject: SubjectIdentity, now: Int64) -> Int64? {
        guard subject.kind == SubjectIdentity.phone else { return nil }
        return phoneDays(now: now).map { policy.days.start(of: $0.upperBound) }
    }

    /// Returns what a subject learns of its exposures.
    ///
    /// - Parameters:
    ///   - exposures: all exposures of the subject in the store, or those that ended before `end`.
    ///   - now: seconds since 1970.
    package func told(_ exposures: [ExposureSummary], to subject: SubjectIdentity, now: Int64) -> Told {
        guard let told = phoneDays(now: now), subject.kind == SubjectIdentity.phone else {
            var told = self.told(Risk(exposures, policy: policy, now: now))
            told.clockIsDoubtful = told.risk.exposures.contains(where: \.clockIsDoubtful)
            return told
        }
        let over = exposures.filter { told.contains(days(of: $0).upperBound) }
        // A time within today would reveal the second in which an exposure ceases to count.
        var dated = policy
        dated.risk.days = daysTold + 1
        return self.told(Risk(over, policy: dated, now: policy.days.start(of: told.upperBound)), within: told)
    }

    private func told(_ risk: Risk<ExposureSummary>, within range: Range<Int64>? = nil) -> Told {
        let days = Set(risk.exposures.flatMap { self.days(of: $0) }).filter { range?.contains($0) ?? true }
        return Told(risk: risk, days: days.sorted(by: >))
    }

    /// Returns all days of an exposure; one that lasted until midnight was not on the next day. Joining two exposures
    /// by invented stays in between removes the days of neither.
    private func days(of exposure: ExposureSummary) -> ClosedRange<Int64> {
        let first = policy.days.day(of: exposure.start)
        // Nothing that can be stored is longer, but another program may have written it.
        return first...min(max(first, policy.days.day(of: max(exposure.start, exposure.end - 1))), first + 31)
    }

    /// Returns the days of a subject's exposures in JSON, the latest first.
    package func documents(of told: Told, subject: SubjectIdentity) -> [String] {
        told.days.map { ExposedDayDocument(day: $0, of: subject, policy: policy).text }
    }
}
