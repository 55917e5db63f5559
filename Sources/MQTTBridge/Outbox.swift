public import BeaconModel
import DequeModule

/// The queue between records and broker: what is offered stays here until the broker has acknowledged it.
///
/// In memory, bounded by the number of records. It is a value without I/O, so that a durable store can take its
/// place behind the same operations.
public struct Outbox: Sendable {
    /// Records that it holds at most.
    public let capacity: Int
    /// Records that were given up for lack of room, by kind.
    public private(set) var evicted: [InteractionEvent.Kind: UInt64] = [:]

    private var waiting: Deque<Entry> = []
    private var offered: [UInt64: Entry] = [:]
    /// How many of those that wait are `updated`: when it is 0, there is nothing to search for.
    private var waitingUpdates = 0

    /// A record on its way, and whether it waited out an outage.
    public struct Entry: Sendable {
        public let record: Record
        public var isHistorical: Bool
    }

    /// - Parameter capacity: at least 1.
    public init(capacity: Int) { self.capacity = max(1, capacity) }

    /// Records that aren't acknowledged yet.
    public var count: Int { waiting.count + offered.count }

    /// Adds a record; when it is full, the oldest `updated` makes room, or else the oldest of all that wait.
    ///
    /// - Parameter online: whether the broker can be reached.
    public mutating func append(_ record: Record, online: Bool) {
        if count >= capacity { evictOne(insteadOf: record) }
        guard count < capacity else {
            // Everything is on its way to the broker already.
            evicted[record.kind, default: 0] += 1
            return
        }
        waiting.append(Entry(record: record, isHistorical: !online))
        if record.kind == .updated { waitingUpdates += 1 }
    }

    /// The oldest record that waits, which from now on counts as offered.
    public mutating func offerNext() -> Entry? {
        guard let entry = waiting.popFirst() else { return nil }
        offered[entry.record.sequence] = entry
        if entry.record.kind == .updated { waitingUpdates -= 1 }
        return entry
    }

    /// The broker has it.
    public mutating func acknowledge(_ sequence: UInt64) { offered.removeValue(forKey: sequence) }

    /// The connection is gone: what was offered waits again, in its old place, and everything is historical now.
    public mutating func connectionLost() {
        let again = offered.values.sorted { $0.record.sequence < $1.record.sequence }
        offered.removeAll()
        waiting.prepend(contentsOf: again)
        waitingUpdates += again.count { $0.record.kind == .updated }
        for index in waiting.indices { waiting[index].isHistorical = true }
    }

    private mutating func evictOne(insteadOf record: Record) {
        let oldestUpdate = waitingUpdates > 0 ? waiting.firstIndex { $0.record.kind == .updated } : nil
        guard let index = oldestUpdate ?? waiting.indices.first else { return }
        // A new `updated` is worth less than any other record.
        if record.kind == .updated, waiting[index].record.kind != .updated { return }
        evicted[waiting[index].record.kind, default: 0] += 1
        if waiting.remove(at: index).record.kind == .updated { waitingUpdates -= 1 }
    }
}
