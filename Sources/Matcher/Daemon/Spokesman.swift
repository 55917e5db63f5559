import InteractionStore
import SystemIO

/// Which of several matchers of one store says what is to be said once: how full rooms are, and to the webhook who was
/// exposed. Whoever asks first, until it ends.
final class Spokesman: Sendable {
    private let store: StoreLocation
    private let lease = LockedValue<StoreLease?>(nil)

    init(store: StoreLocation) { self.store = store }

    /// Whether it is this process. Blocks.
    ///
    /// - Throws: `StoreError`.
    func isThis() throws -> Bool {
        try lease.withLock { lease in
            Result {
                if let lease, lease.isHeld { return true }
                // Before the next, which would find it taken.
                lease = nil
                lease = try StoreLease.acquire(store, .spokesman)
                return lease != nil
            }
        }.get()
    }
}
