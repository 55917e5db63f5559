public import BeaconModel

/// Which code the phone behind an address gave. Pure, and bounded: the address that was heard least recently goes.
public struct ContactCodes: Sendable {
    /// How long after it was last heard an address is taken for the same phone's. Phones change their random address
    /// every 15 minutes or so (Bluetooth Core Specification 5.4, Vol 3, Part C, Appendix A: `T_GAP(private_addr_int)`
    /// is 15 minutes); somebody else may then come by the same one, if never by chance.
    public static let lifetime: Duration = .seconds(20 * 60)
    public static let capacity = 1024

    private struct Entry: Sendable {
        var code: UInt64
        var readAt: Timestamp
        var lastHeard: Timestamp
    }

    private let lifetime: Duration
    private var table: RecencyTable<ExchangePeer, Entry>

    public init(lifetime: Duration = Self.lifetime, capacity: Int = Self.capacity) {
        self.lifetime = lifetime
        table = RecencyTable(capacity: capacity)
    }

    /// Some may be too old.
    public var count: Int { table.count }

    public mutating func insert(_ code: UInt64, for peer: ExchangePeer, at time: Timestamp) {
        table.use(peer, initially: Entry(code: code, readAt: time, lastHeard: time)) {
            $0.code = code
            $0.readAt = time
            $0.lastHeard = max($0.lastHeard, time)
        }
    }

    /// The code of a peer that was heard at `time`, and now lives from that time on.
    public mutating func hear(_ peer: ExchangePeer, at time: Timestamp) -> UInt64? {
        guard let code = code(for: peer, at: time) else {
            table.remove(peer)
            return nil
        }
        table.use(peer, initially: Entry(code: code, readAt: time, lastHeard: time)) {
            $0.lastHeard = max($0.lastHeard, time)
        }
        return code
    }

    public func code(for peer: ExchangePeer, at time: Timestamp) -> UInt64? {
        guard let entry = table.value(of: peer), time - entry.lastHeard <= lifetime else { return nil }
        return entry.code
    }

    /// Whether the peer gave its code less than `age` before `time`. A clock that was set back makes it older.
    package func isKnown(_ peer: ExchangePeer, forLessThan age: Duration, at time: Timestamp) -> Bool {
        guard let entry = table.value(of: peer), code(for: peer, at: time) != nil else { return false }
        return entry.readAt <= time && time - entry.readAt < age
    }
}
