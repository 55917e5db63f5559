import InteractionStore
import SystemIO

/// Which gateways have said lately that they hear.
final class GatewayWatch: Sendable {
    private let signs = LockedValue(GatewaySigns())

    static let patience = GatewaySigns.patience
    /// Readings are of 30 to 120 s, and come when these are over: the minute that they were last of began so many seconds ago
    /// at most.
    private static let readingPatience: Int64 = 200

    /// Takes in what a gateway said of itself.
    ///
    /// - Parameters:
    ///   - isGenuine: whether it is signed.
    ///   - now: seconds since 1970.
    /// - Returns: why it isn't taken.
    func take(_ health: GatewayHealth, of gateway: String, isGenuine: Bool, now: Int64) -> RecordReader.Defect? {
        signs.withLock { $0.take(health, of: gateway, isGenuine: isGenuine, now: now) }
    }

    /// - Parameter now: seconds since 1970.
    func heard(_ gateway: String, now: Int64) { signs.withLock { $0.heard(gateway, deaf: [], now: now) } }

    /// Those that told this process that they hear, since a time.
    func heard(since time: Int64) -> [String: Int64] { signs.withLock { $0.hearing(since: time) } }

    /// What is known of receivers by what gateways told any matcher of a store, and by their readings there.
    ///
    /// - Throws: `StoreError`.
    func working(in store: InteractionStore, now: Int64) throws -> HeardReceivers {
        let others = try store.gateways(heardSince: now - Self.patience)
        let silent = try store.silentReceivers(since: now - Self.readingPatience, now: now)
        let revoked = try store.revokedGateways()
        return signs.withLock { $0.receivers(others: others, silent: silent, revoked: revoked, now: now) }
    }
}
