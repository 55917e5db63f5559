import InteractionStore
import SystemIO

/// Leader among the matchers of one store, for work that is done once: occupancy, deliveries to the webhook, settling.
/// The first matcher that acquires the lease leads until it ends.
final class StoreLeader: Sendable {
    private let store: StoreLocation
    private let lease = LockedValue<StoreLease?>(nil)

    init(store: StoreLocation) { self.store = store }

    /// Returns whether this process is the leader. Blocks.
    ///
    /// - Throws: `StoreError`.
    func isThis() throws -> Bool {
        try lease.withLock { lease in
            Result {
                if let lease, lease.isHeld { return true }
                // Released before the next is acquired, which would otherwise find it taken.
                lease = nil
                lease = try StoreLease.acquire(store, .leader)
                return lease != nil
            }
        }.get()
    }
}
