import Matching

/// What a subject is told: how much, not with whom or where.
struct NoticeContent: Codable {
    var level: String
    var label: String
    /// Days with some.
    var exposures: Int
    /// The beginning of the site's day on which the latest ended; an earlier version told the second to whoever isn't a phone.
    var latest: String?
    var policy: ExposureDocument.PolicyName
    /// What makes the exposures doubtful; an earlier version left it out.
    var missing: [String]?

    /// What grows old, and what is counted otherwise because it does, is no news.
    func isNews(after other: NoticeContent?) -> Bool {
        guard let other else { return true }
        // One day in the place of another is news, also when it is an earlier one.
        if latest != other.latest, exposures >= other.exposures { return true }
        return exposures > other.exposures || (latest ?? "") > (other.latest ?? "")
            || RiskLevel(rawValue: level) ?? .low > RiskLevel(rawValue: other.level) ?? .low
    }
}
