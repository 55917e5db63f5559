/// Content of a notice: how much exposure there was, not with whom or where.
package struct NoticeContent: Equatable, Sendable {
    package var level: RiskLevel
    /// Policy's own word for the level.
    package var label: String
    /// Number of days with exposures.
    package var days: Int
    /// Beginning of the site's day on which the latest exposure ended, in seconds since 1970. An earlier version gave
    /// the second to subjects that are not phones.
    package var latest: Int64?
    /// Name and version of the policy.
    package var policy: String
    package var policyVersion: String
    /// Whether a gateway that reported one of the exposures had an unsynchronized clock.
    package var clockIsDoubtful: Bool

    package init(
        level: RiskLevel, label: String, days: Int, latest: Int64?, policy: String, policyVersion: String,
        clockIsDoubtful: Bool = false
    ) {
        self.level = level
        self.label = label
        self.days = days
        self.latest = latest
        self.policy = policy
        self.policyVersion = policyVersion
        self.clockIsDoubtful = clockIsDoubtful
    }

    /// Returns whether the content is news after another. Exposures that expire, and changes that follow from it, are
    /// no news.
    package func isNews(after other: NoticeContent?) -> Bool {
        guard let other else { return true }
        // Another latest day is news, even if it is an earlier one.
        if latest != other.latest, days >= other.days { return true }
        return days > other.days || (latest ?? .min) > (other.latest ?? .min) || level > other.level
    }
}
