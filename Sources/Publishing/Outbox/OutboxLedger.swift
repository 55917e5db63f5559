import BeaconModel
package import DequeModule
package import HeapModule
package import RecordContract

/// The records in the outbox and their fate: which are given up, which are offered next, which are offered again.
///
/// For each record it holds what is needed to decide, but not the contents (48 bytes, and 8 in each of up to three
/// queues). Queues include records that have already left them, and are tidied when these are more than half, so that
/// each operation takes logarithmic time on average. Times are microseconds of an `OutboxClock`.
package struct OutboxLedger: Sendable {
    /// Bytes by which a record counts in addition to its payload and topic.
    package static let overhead = 64

    package let rules: OutboxRules
    package var isOnline = false

    /// Entries in ascending order of identifiers, including those that are gone until the next tidying.
    package var entries: Deque<Entry> = []
    package var topics = OutboxTopics()
    /// Number of records held.
    package var count = 0
    package var bytes = 0
    package var counts = OutboxPriority.allCases.map { _ in 0 }
    /// Number of waiting historical records of all topics.
    package var waiting = 0
    package var waitingForConsumer = 0
    /// Number of records that the broker has rejected, or that wait behind one.
    package var withheld = 0
    /// Topics with rejected records. `nextTrial` is when some of these records are tried again.
    package var refusing: Set<Int32> = []
    var nextTrial: ContinuousClock.Instant?

    var liveQueue: Deque<Int64> = []
    /// Identifiers of all waiting historical records.
    package var history: Heap<Int64> = []
    /// Topics with a present record that waits behind historical ones, in turn.
    package var urgent: Deque<Int32> = []
    /// Records in the order in which they were offered, including some that no longer are until the next tidying.
    /// `offeredCount` is the number of those that are.
    package var offered: Deque<Int64> = []
    package var offeredCount = 0
    package var pace: OutboxPace
    /// Records that may have to be evicted, by priority.
    package var expendable: [Heap<Int64>] = OutboxPriority.allCases.map { _ in [] }
    /// Acknowledged records in the order of acknowledgement, with its time in seconds.
    package var acknowledged: Deque<(id: Int64, at: UInt32)> = []

    /// Whether positions ascend like identifiers. They do unless a gateway lost count of its boots.
    package var isInOrder = true
    /// The position that arrived last.
    package var latest: RecordPosition?
    package var newest: RecordPosition?

    package var evicted: [OutboxPriority: UInt64] = [:]
    /// Evicted records as of the last call of `takeEvicted`.
    private var toldEvicted: [OutboxPriority: UInt64] = [:]
    package var expired: UInt64 = 0
    /// Expired records that have not been reported yet.
    private(set) var untoldExpired: OutboxLoss?

    /// Returns the records that have expired since the last call.
    package mutating func takeExpired() -> OutboxLoss? {
        defer { untoldExpired = nil }
        return untoldExpired
    }

    /// Returns the number of records that were evicted since the last call, by priority.
    package mutating func takeEvicted() -> [OutboxPriority: UInt64] {
        defer { toldEvicted = evicted }
        return evicted.merging(toldEvicted) { $0 - $1 }.filter { $0.value > 0 }
    }

    mutating func tellExpired(_ position: RecordPosition) {
        let loss = OutboxLoss(count: 1, oldest: position, newest: position)
        if untoldExpired == nil { untoldExpired = loss } else { untoldExpired?.add(loss) }
    }

    package struct Entry: Sendable {
        package let id: Int64
        package var enteredAt: Int64
        package let position: RecordPosition
        package let bytes: Int32
        package let topic: Int32
        /// Time of the acknowledgement in seconds.
        package var acknowledgedAt: UInt32 = 0
        package let priority: OutboxPriority
        package var state: State
        /// Whether the record waited out an outage.
        package var isHistorical = false
    }

    package enum State: UInt8, Sendable {
        /// Being written to disk, not to be offered yet.
        case arriving
        /// Waiting, and can be sent at once.
        case live
        /// Waiting for its turn at the pace of history.
        case historical
        case offered
        /// Rejected by the broker, or behind a rejected record of its topic; tried again later.
        case withheld
        /// Acknowledged by the broker, and kept for the consumer.
        case acknowledged
        case gone
    }

    package init(rules: OutboxRules) {
        self.rules = rules
        pace = OutboxPace(rate: rules.drainRate)
    }

    /// Returns the bytes by which a record counts towards the size limit.
    package static func cost(topic: String, payload: Int) -> Int { topic.utf8.count + payload + overhead }

    /// Adds a record, which is not offered before `release`.
    ///
    /// - Parameters:
    ///   - id: must be greater than all before.
    ///   - cost: the value that `cost` returns.
    /// - Returns: the records that were evicted for it, or the record itself.
    package mutating func append(
        _ id: Int64, topic: String, cost: Int, priority: OutboxPriority, position: RecordPosition, at now: Int64
    ) -> [Int64] {
        guard cost <= rules.bytes, let size = Int32(exactly: cost), entries.last.map({ $0.id < id }) ?? true else {
            evicted[priority, default: 0] += 1
            return [id]
        }
        if let latest, position <= latest { isInOrder = false }
        latest = position
        newest = max(newest ?? position, position)
        entries.append(
            Entry(
                id: id, enteredAt: now, position: position, bytes: size, topic: topics.addRecord(of: topic),
                priority: priority, state: .arriving))
        count += 1
        bytes += cost
        counts[priority.rawValue] += 1
        expendable[priority.rawValue].insert(id)
        return evict(for: id)
    }

    /// Makes a record available for offering: it is on disk, or never will be.
    package mutating func release(_ id: Int64) {
        guard let index = index(of: id), entries[index].state == .arriving else { return }
        if parkIfHeld(index) { return }
        let number = entries[index].topic
        if isOnline, topics[number].waiting == 0 {
            entries[index].state = .live
            topics[number].live += 1
            liveQueue.append(id)
            return
        }
        wait([index])
        if isOnline { hurry(number) }
    }

    /// Adds a record read from disk, as historical, since it waited out an outage.
    package mutating func restore(
        _ id: Int64, topic: String, cost: Int, priority: OutboxPriority, position: RecordPosition, at enteredAt: Int64
    ) -> [Int64] {
        let removed = append(id, topic: topic, cost: cost, priority: priority, position: position, at: enteredAt)
        if let index = index(of: id), entries[index].state == .arriving { wait([index]) }
        return removed
    }

    /// Corrects the entry times of the records from `firstID` on, which arrived later than was known.
    package mutating func restamp(from firstID: Int64, by microseconds: Int64) {
        for index in entries.indices.reversed() {
            guard entries[index].id >= firstID else { return }
            entries[index].enteredAt += microseconds
        }
    }

    package func isHeld(_ id: Int64) -> Bool { index(of: id) != nil }

    package func isOffered(_ id: Int64) -> Bool { entry(id)?.state == .offered }

    /// Returns the entry of a record; `nil` if it is gone.
    package func entry(_ id: Int64) -> Entry? { index(of: id).map { entries[$0] } }

    /// Entry time of the oldest record that is held.
    package var oldestEntryAt: Int64? { entries.first { $0.state != .gone }?.enteredAt }

    /// Positions of all records that are held.
    package var positions: some Sequence<RecordPosition> { entries.lazy.filter { $0.state != .gone }.map(\.position) }

    package var newestEntryAt: Int64? { entries.last?.enteredAt }

    /// The smallest position that is held.
    package var oldest: RecordPosition? {
        if isInOrder { return entries.first { $0.state != .gone }?.position }
        return entries.lazy.filter { $0.state != .gone }.map(\.position).min()
    }

    package func index(of id: Int64) -> Int? {
        entries.index(of: id, identifier: \.id).flatMap { entries[$0].state == .gone ? nil : $0 }
    }
}
