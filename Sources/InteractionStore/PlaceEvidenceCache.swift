import Matching

/// What is stored of beacons that were claimed lately, and of who claimed them: whoever claims one that was heard often, again
/// and again, has it read once in some minutes.
final class PlaceEvidenceCache {
    private var heard = Memory<SubjectIdentity, [PlaceEvidence.Heard]>()
    private var latest = Memory<String, Int64?>()

    /// - Parameter today: days since 1970; on another day it is read anew.
    func heard(of badge: SubjectIdentity, today: Int64, _ session: any SQLSession) throws -> [PlaceEvidence.Heard] {
        try heard.value(of: badge, today: today) { try PlaceEvidence.heard(of: badge, session) }
    }

    /// See `PlaceEvidence.latestTold`.
    func latestTold(by gateway: String, today: Int64, _ session: any SQLSession) throws -> Int64? {
        try latest.value(of: gateway, today: today) { try PlaceEvidence.latestTold(by: gateway, session) }
    }

    func forget() {
        heard.forget()
        latest.forget()
    }

    private struct Memory<Key: Hashable, Value> {
        private var known: [Key: (value: Value, today: Int64, at: ContinuousClock.Instant)] = [:]

        private static var patience: Duration { .seconds(600) }
        private static var most: Int { 1000 }

        mutating func value(of key: Key, today: Int64, _ read: () throws -> Value) throws -> Value {
            if let entry = known[key], entry.today == today, .now - entry.at < Self.patience { return entry.value }
            let value = try read()
            if known.count >= Self.most { known.removeAll() }
            known[key] = (value, today, .now)
            return value
        }

        mutating func forget() { known.removeAll() }
    }
}
