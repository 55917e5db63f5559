import Matching

/// Content of a notice: how much exposure there was, not with whom or where.
struct NoticeContent: Codable {
    var level: String
    var label: String
    /// Number of days with exposures.
    var exposures: Int
    /// Beginning of the site's day on which the latest exposure ended. An earlier version gave the second to subjects
    /// that are not phones.
    var latest: String?
    var policy: ExposureDocument.PolicyName
    /// Reasons to doubt the exposures; an earlier version omitted them.
    var missing: [String]?

    /// Returns whether the content is news after another. Exposures that expire, and changes that follow from it, are
    /// no news.
    func isNews(after other: NoticeContent?) -> Bool {
        guard let other else { return true }
        // Another latest day is news, even if it is an earlier one.
        if latest != other.latest, exposures >= other.exposures { return true }
        return exposures > other.exposures || (latest ?? "") > (other.latest ?? "")
            || RiskLevel(rawValue: level) ?? .low > RiskLevel(rawValue: other.level) ?? .low
    }
}
