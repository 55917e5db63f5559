import Matching

/// What is stored of beacons that were claimed lately: whoever claims one that was heard often, again and again, has it read once
/// in some minutes.
final class PlaceEvidenceCache {
    private var known: [SubjectIdentity: (heard: [PlaceEvidence.Heard], today: Int64, at: ContinuousClock.Instant)] =
        [:]

    private static let patience: Duration = .seconds(600)
    private static let most = 1000

    /// - Parameter today: days since 1970; on another day it is read anew.
    func heard(of badge: SubjectIdentity, today: Int64, _ session: any SQLSession) throws -> [PlaceEvidence.Heard] {
        if let entry = known[badge], entry.today == today, .now - entry.at < Self.patience { return entry.heard }
        let heard = try PlaceEvidence.heard(of: badge, session)
        if known.count >= Self.most { known.removeAll() }
        known[badge] = (heard, today, .now)
        return heard
    }

    func forget() { known.removeAll() }
}
