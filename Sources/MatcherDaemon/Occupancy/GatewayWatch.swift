import Evidence
import InteractionStore
import MatcherCore
import SystemIO

/// Shared record of the gateways that stated recently that they receive.
final class GatewayWatch: Sendable {
    private let signs = LockedValue(GatewaySigns())
    private let known = LockedValue(KnownFacts())

    static let patience = GatewaySigns.patience
    /// Maximum age of the beginning of the latest period of readings, in seconds. Readings cover 30 to 120 s, and
    /// arrive when these are over.
    private static let readingPatience: Int64 = 200

    /// Takes a gateway's health message.
    ///
    /// - Parameters:
    ///   - isGenuine: whether the message is signed.
    ///   - now: seconds since 1970.
    /// - Returns: the defect for which the message is refused, if any.
    func take(_ health: GatewayHealth, of gateway: String, isGenuine: Bool, now: Int64) -> RecordReader.Defect? {
        signs.withLock { $0.take(health, of: gateway, isGenuine: isGenuine, now: now) }
    }

    /// Notes that all receivers of a gateway work.
    ///
    /// - Parameter now: seconds since 1970.
    func heard(_ gateway: String, now: Int64) { signs.withLock { $0.heard(gateway, deaf: [], now: now) } }

    /// Returns the gateways that told this process since a given time that they receive.
    func heard(since time: Int64) -> [String: Int64] { signs.withLock { $0.hearing(since: time) } }

    /// Returns how many gateways receive, and how many do not.
    func tally(now: Int64) -> GatewaySigns.Tally { signs.withLock { $0.tally(now: now) } }

    /// Latest statements of gateways about themselves to this process, by path.
    var reports: [String: GatewayReport] { signs.withLock { $0.reports } }

    /// Takes what a gateway says of its program or of a module.
    ///
    /// - Parameter told: when the message was read.
    func take(_ topic: GatewayFacts.Topic, _ payload: [UInt8], told: GatewayFacts.Telling? = nil) {
        known.withLock { $0.take(topic, payload, told: told) }
    }

    /// Facts about programs and modules that gateways published to this process.
    var facts: [String: GatewayFacts] { known.withLock { $0.facts } }

    /// Returns what is known of receivers, from the gateways' statements to any matcher of a store and from their
    /// readings there.
    ///
    /// - Throws: `StoreError`.
    func working(in store: InteractionStore, now: Int64) throws -> HeardReceivers {
        let others = try store.gateways(heardSince: now - Self.patience, until: now + Self.patience)
        let silent = try store.silentReceivers(since: now - Self.readingPatience, now: now)
        let revoked = try store.revokedGateways()
        return signs.withLock { $0.receivers(others: others, silent: silent, revoked: revoked, now: now) }
    }
}
