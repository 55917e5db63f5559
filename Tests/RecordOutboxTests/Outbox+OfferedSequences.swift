import Publishing
import RecordContract

@testable import RecordOutbox

extension Outbox {
    /// The sequence numbers of what can be offered now.
    func offeredSequences(_ limit: Int = .max, at now: ContinuousClock.Instant = .now) async -> [UInt64] {
        await next(limit, now: now).entries.map(\.position.sequence)
    }
}
