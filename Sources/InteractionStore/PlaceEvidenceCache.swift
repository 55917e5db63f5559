import Evidence
import Matching

/// A cache of the stored observations of recently claimed beacons, and of their claimants.
///
/// Repeated claims to a beacon that was heard often cause it to be read only once in some minutes.
final class PlaceEvidenceCache {
    private var heard: [SubjectIdentity: (heard: [PlaceEvidence.Heard], today: Int64, at: ContinuousClock.Instant)] =
        [:]
    /// Start of the latest record of each gateway that claimed something on that day.
    private var latest: [String: (told: Int64?, today: Int64)] = [:]

    private static let patience: Duration = .seconds(600)
    private static let most = 1000
    /// Days of data that are searched for a gateway's latest record. A claim can be backdated by at most as many days,
    /// which is further back than any search for exposures.
    private static let days: Int64 = 15

    /// Returns the stored observations of a beacon.
    ///
    /// - Parameter today: days since 1970; on another day they are read again.
    func heard(of badge: SubjectIdentity, today: Int64, _ session: any SQLSession) throws -> [PlaceEvidence.Heard] {
        if let entry = heard[badge], entry.today == today, .now - entry.at < Self.patience { return entry.heard }
        let found = try PlaceEvidence.heard(of: badge, session)
        if heard.count >= Self.most { heard.removeAll() }
        heard[badge] = (found, today, .now)
        return found
    }

    /// Returns the start of the latest interaction that a gateway reported, in seconds since 1970, and not after today.
    func latestTold(by gateway: String, today: Int64, _ session: any SQLSession) throws -> Int64? {
        let end = (today + 1) * 86_400
        if let entry = latest[gateway], entry.today == today { return entry.told.map { min($0, end) } }
        let told = try PlaceEvidence.latestTold(by: gateway, since: today - Self.days, session)
        if latest.count >= Self.most { latest.removeAll() }
        latest[gateway] = (told, today)
        return told.map { min($0, end) }
    }

    /// Updates the cache with records that were stored.
    func stored(_ records: [InteractionRecord]) {
        if latest.isEmpty { return }
        for record in records {
            guard let entry = latest[record.gateway], entry.told ?? .min < record.start else { continue }
            latest[record.gateway]?.told = record.start
        }
    }

    func forget() {
        heard.removeAll()
        latest.removeAll()
    }
}
