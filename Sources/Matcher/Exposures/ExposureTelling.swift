import InteractionStore
import Matching
import OperatorText

/// What a subject is told of its exposures, and when. Pure.
///
/// A subject is told days. Whoever carries several badges, or leaves one on a desk, would learn by more where and when somebody
/// positive was; and a gateway that invents other minutes with each badge whom somebody has to be.
///
/// A phone says itself where it was. Whoever invents stays of half an hour each, and is told at once which of them was an
/// exposure, learns where somebody positive was; so a phone is told when nobody can send a stay of that day any more.
/// Nothing that it is told changes at another moment than then, the change of the day, or when a report comes: not what
/// ends to count either.
struct ExposureTelling: Sendable {
    var policy: Policy
    /// For how many days interactions are kept.
    var retention: Int64
    /// How many seconds after the end of a day phones are told of it; `nil`: they are told at once.
    var phoneDelay: Int64?

    /// What is known of a subject's risk, as far as it may know.
    struct Told: Equatable, Sendable {
        var risk: Risk<InteractionStore.StoredExposure>
        /// Days with exposures, since 1970, the latest first.
        var days: [Int64]
        /// What makes them doubtful, in sentences without numbers; nothing for a phone that is told later.
        var missing: [String] = []
    }

    /// For how many days exposures are told: as long as interactions are kept and the policy looks back.
    var daysTold: Int64 { min(retention, policy.risk.days) }

    /// The days of which phones are told, since 1970; `nil` when they are told at once.
    ///
    /// A day becomes too old at midnight, before what ended on it is deleted: that happens at the time of the day at which it
    /// ended.
    ///
    /// - Parameter now: seconds since 1970.
    func phoneDays(now: Int64) -> Range<Int64>? {
        guard let phoneDelay else { return nil }
        let end = policy.days.day(of: now - phoneDelay)
        let kept = max(phoneDelay / 86_400 + 1, daysTold - 1)
        return min(policy.days.day(of: now) - kept, end)..<end
    }

    /// Of what ends later a subject isn't told yet, in seconds since 1970; `nil`: it is told of everything.
    func end(for subject: SubjectIdentity, now: Int64) -> Int64? {
        guard subject.kind == SubjectIdentity.phone else { return nil }
        return phoneDays(now: now).map { policy.days.start(of: $0.upperBound) }
    }

    /// - Parameters:
    ///   - exposures: all that the store has of the subject, or of what ended before `end`.
    ///   - now: seconds since 1970.
    func told(_ exposures: [InteractionStore.StoredExposure], to subject: SubjectIdentity, now: Int64) -> Told {
        guard let told = phoneDays(now: now), subject.kind == SubjectIdentity.phone else {
            var told = self.told(Risk(exposures, policy: policy, now: now))
            if told.risk.exposures.contains(where: \.clockIsDoubtful) { told.missing = [ClockDoubt.text] }
            return told
        }
        let over = exposures.filter { told.contains(days(of: $0).upperBound) }
        // A second of today would tell the second in which an exposure ends to count.
        var dated = policy
        dated.risk.days = daysTold + 1
        return self.told(Risk(over, policy: dated, now: policy.days.start(of: told.upperBound)), within: told)
    }

    private func told(_ risk: Risk<InteractionStore.StoredExposure>, within range: Range<Int64>? = nil) -> Told {
        let days = Set(risk.exposures.flatMap { self.days(of: $0) }).filter { range?.contains($0) ?? true }
        return Told(risk: risk, days: days.sorted(by: >))
    }

    /// All days on which an exposure was; one until midnight wasn't on the next. Whoever joins two by what they invent in between
    /// takes away neither's day.
    private func days(of exposure: InteractionStore.StoredExposure) -> ClosedRange<Int64> {
        let first = policy.days.day(of: exposure.start)
        // Nothing that can be stored is longer; what somebody else wrote may be.
        return first...min(max(first, policy.days.day(of: max(exposure.start, exposure.end - 1))), first + 31)
    }

    /// The days of a subject's exposures in JSON, the latest first.
    func documents(of told: Told, subject: SubjectIdentity) -> [String] {
        told.days.map { ExposedDayDocument(day: $0, of: subject, policy: policy).text }
    }
}
