public import BeaconModel

/// Codes received from phones, by address. Pure and bounded: when the table is full, the address received least
/// recently is evicted.
public struct ContactCodes: Sendable {
    /// Time after its last reception during which an address is attributed to the same phone. Phones change their
    /// random address about every 15 minutes (Bluetooth Core Specification 5.4, Vol 3, Part C, Appendix A:
    /// `T_GAP(private_addr_int)` is 15 minutes). After that another device can use the same address, though never by
    /// chance.
    public static let lifetime: Duration = .seconds(20 * 60)
    /// Default maximum number of codes.
    public static let capacity = 1024

    private struct Entry: Sendable {
        var code: UInt64
        var readAt: Timestamp
        var lastHeard: Timestamp
    }

    private let lifetime: Duration
    private var table: RecencyTable<ExchangePeer, Entry>

    /// Creates an empty table.
    public init(lifetime: Duration = Self.lifetime, capacity: Int = Self.capacity) {
        self.lifetime = lifetime
        table = RecencyTable(capacity: capacity)
    }

    /// Number of stored codes, including any that have expired.
    public var count: Int { table.count }

    /// Stores the code of a peer that was read at `time`.
    public mutating func insert(_ code: UInt64, for peer: ExchangePeer, at time: Timestamp) {
        table.use(peer, initially: Entry(code: code, readAt: time, lastHeard: time)) {
            $0.code = code
            $0.readAt = time
            $0.lastHeard = max($0.lastHeard, time)
        }
    }

    /// Returns the code of a peer received at `time` and restarts its lifetime from that time.
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

    /// Returns the code of a peer, unless it is older than the lifetime at `time`.
    public func code(for peer: ExchangePeer, at time: Timestamp) -> UInt64? {
        guard let entry = table.value(of: peer), time - entry.lastHeard <= lifetime else { return nil }
        return entry.code
    }

    /// Whether the code was read from the peer less than `age` before `time`. Returns `false` for a code read in the
    /// future, after the clock was set back.
    package func isKnown(_ peer: ExchangePeer, forLessThan age: Duration, at time: Timestamp) -> Bool {
        guard let entry = table.value(of: peer), code(for: peer, at: time) != nil else { return false }
        return entry.readAt <= time && time - entry.readAt < age
    }
}
