package import Matching
import OperatorText

/// Plausibility check of the days of a positive case. A mistyped day must not end as an all-clear. Pure.
package struct CaseDays: Sendable {
    package var policy: Policy
    /// Beginning of the search for contacts, in seconds since 1970; `until` is its end.
    package var since: Int64
    package var until: Int64
    /// Beginning of the search in a case of today, or the requested beginning, in seconds since 1970.
    package var usual: Int64
    /// Last day that has begun in any time zone that matters, in days since 1970.
    package var latest: Int64

    package init(policy: Policy, since: Int64, until: Int64, usual: Int64, latest: Int64) {
        self.policy = policy
        self.since = since
        self.until = until
        self.usual = usual
        self.latest = latest
    }

    package enum Key: Sendable { case onset, test }

    /// A day that is implausible, with what is allowed.
    package struct Mistake: Equatable, Sendable {
        package var key: Key
        package var found: String
        package var allowed: String

        package init(key: Key, found: String, allowed: String) {
            self.key = key
            self.found = found
            self.allowed = allowed
        }
    }

    /// Maximum number of days before the usual beginning: an older illness is no reason for a report.
    private static let longest: Int64 = 30

    package func mistake(in positive: PositiveCase) -> Mistake? {
        let first = policy.days.day(of: usual)
        for (key, day) in [(Key.onset, positive.onset), (.test, positive.test)] {
            guard let day else { continue }
            if day > latest {
                return Mistake(
                    key: key, found: "\(DayText.text(day)) is in the future",
                    allowed: "must be \(DayText.text(latest)) or before")
            }
            if day < first - Self.longest {
                return Mistake(
                    key: key,
                    found:
                        "\(DayText.text(day)) is more than \(Self.longest) days before \(DayText.text(first)), since "
                        + "which contacts are searched",
                    allowed: "must be \(DayText.text(first - Self.longest)) or later")
            }
        }
        return infectiousnessMistake(positive, policy.days.day(of: since))
    }

    private func infectiousnessMistake(_ positive: PositiveCase, _ first: Int64) -> Mistake? {
        guard let day = positive.onset ?? positive.test else {
            guard policy.infectiousness.weight(days: nil) <= 0 else { return nil }
            return Mistake(
                key: .test, found: "without it and without the onset, nobody is infectious by \(policy.name)",
                allowed: "must be given")
        }
        guard policy.infectiousness.dependsOnDay else { return nil }
        let last = max(first, policy.days.day(of: until))
        guard !(first...last).contains(where: { policy.infectiousness.weight(days: $0 - day) > 0 }) else { return nil }
        return Mistake(
            key: positive.onset == nil ? .test : .onset,
            found: "\(DayText.text(day)) makes nobody infectious by \(policy.name) from \(DayText.text(first)) to "
                + DayText.text(last),
            allowed: "must be closer to these days")
    }
}
