import InteractionStore
import SystemIO

/// Which gateways have said lately that they work.
final class GatewayWatch: Sendable {
    /// Seconds since 1970.
    private let heardAt = LockedValue<[String: Int64]>([:])

    /// They say it every 30 s.
    static let patience: Int64 = 90
    /// Of those that anybody can invent.
    private static let most = 10_000

    func heard(_ gateway: String, now: Int64) {
        heardAt.withLock { heardAt in
            if heardAt.count >= Self.most, heardAt[gateway] == nil {
                heardAt = heardAt.filter { now - $0.value <= Self.patience }
                guard heardAt.count < Self.most else { return }
            }
            heardAt[gateway] = now
        }
    }

    /// Those that this process heard, since a time.
    func heard(since time: Int64) -> [String: Int64] { heardAt.withLock { $0.filter { $0.value >= time } } }

    /// Those that any matcher of a store heard.
    ///
    /// - Throws: `StoreError`.
    func working(in store: InteractionStore, now: Int64) throws -> Set<String> {
        try store.gateways(heardSince: now - Self.patience).union(heard(since: now - Self.patience).keys)
    }
}
