import Matching

/// A memory of what is stored of beacons that were claimed lately, and of their claimants.
///
/// Whoever claims a beacon that was heard often, again and again, has it read once in some minutes.
final class PlaceEvidenceCache {
    private var heard: [SubjectIdentity: (heard: [PlaceEvidence.Heard], today: Int64, at: ContinuousClock.Instant)] =
        [:]
    /// The latest that each gateway told which claimed something on that day.
    private var latest: [String: (told: Int64?, today: Int64)] = [:]

    private static let patience: Duration = .seconds(600)
    private static let most = 1000
    /// A claim is dated back by as many days at most: what is older than the exposures that anybody looks for.
    private static let days: Int64 = 15

    /// - Parameter today: days since 1970; on another day it is read anew.
    func heard(of badge: SubjectIdentity, today: Int64, _ session: any SQLSession) throws -> [PlaceEvidence.Heard] {
        if let entry = heard[badge], entry.today == today, .now - entry.at < Self.patience { return entry.heard }
        let found = try PlaceEvidence.heard(of: badge, session)
        if heard.count >= Self.most { heard.removeAll() }
        heard[badge] = (found, today, .now)
        return found
    }

    /// When the latest interaction began that a gateway told, in seconds since 1970, and not after today.
    func latestTold(by gateway: String, today: Int64, _ session: any SQLSession) throws -> Int64? {
        let end = (today + 1) * 86_400
        if let entry = latest[gateway], entry.today == today { return entry.told.map { min($0, end) } }
        let told = try PlaceEvidence.latestTold(by: gateway, since: today - Self.days, session)
        if latest.count >= Self.most { latest.removeAll() }
        latest[gateway] = (told, today)
        return told.map { min($0, end) }
    }

    /// Notes what was stored.
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
