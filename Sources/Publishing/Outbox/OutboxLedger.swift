import BeaconModel
package import DequeModule
package import HeapModule
package import RecordContract

/// What is in the outbox, and what becomes of it: what is given up, what is offered next, what is offered again.
///
/// It knows of each record what has to be known to decide, but not its contents (48 bytes, and 8 in each of up to three
/// queues). Queues contain what has left them already and are tidied when that is more than half, so that each operation
/// takes logarithmic time on average. Times are microseconds of an `OutboxClock`.
package struct OutboxLedger: Sendable {
    /// What a record is counted with beside its payload and topic.
    package static let overhead = 64

    package let rules: OutboxRules
    package var isOnline = false

    /// By growing identifiers, with those that are gone until it is tidied.
    package var entries: Deque<Entry> = []
    package var topics = OutboxTopics()
    /// Records held.
    package var count = 0
    package var bytes = 0
    package var counts = OutboxPriority.allCases.map { _ in 0 }
    /// How many wait, historical, of all topics.
    package var waiting = 0
    package var waitingForConsumer = 0
    /// Refused by the broker, or behind such a one.
    package var withheld = 0
    /// Topics of which records are refused, and when some are tried again.
    package var refusing: Set<Int32> = []
    var nextTrial: ContinuousClock.Instant?

    var liveQueue: Deque<Int64> = []
    /// All that wait, historical.
    package var history: Heap<Int64> = []
    /// Topics of which a present record waits behind historical ones, each in its turn.
    package var urgent: Deque<Int32> = []
    /// In the order in which they were offered, with those that aren't any more until it is tidied; and how many are.
    package var offered: Deque<Int64> = []
    package var offeredCount = 0
    package var pace: OutboxPace
    /// By priority: what may have to be given up.
    package var expendable: [Heap<Int64>] = OutboxPriority.allCases.map { _ in [] }
    /// In the order of acknowledgement, with its time.
    package var acknowledged: Deque<(id: Int64, at: UInt32)> = []

    /// Whether positions grow like identifiers; they do unless a gateway lost count of its boots.
    package var isInOrder = true
    /// The last position that came in, and the highest.
    package var latest: RecordPosition?
    package var newest: RecordPosition?

    package var evicted: [OutboxPriority: UInt64] = [:]
    package var expired: UInt64 = 0
    /// Those that have expired and have not been told.
    private(set) var untoldExpired: OutboxLoss?

    /// What has expired since this was last asked.
    package mutating func takeExpired() -> OutboxLoss? {
        defer { untoldExpired = nil }
        return untoldExpired
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
        /// In seconds.
        package var acknowledgedAt: UInt32 = 0
        package let priority: OutboxPriority
        package var state: State
        /// Whether it waited out an outage.
        package var isHistorical = false
    }

    package enum State: UInt8, Sendable {
        /// On its way to the disk, and not to be offered yet.
        case arriving
        /// Waits, and may go at once.
        case live
        /// Waits for its turn at the pace of history.
        case historical
        case offered
        /// The broker has refused it, or one of its topic before it: it is tried again later.
        case withheld
        /// By the broker; it is kept for the consumer.
        case acknowledged
        case gone
    }

    package init(rules: OutboxRules) {
        self.rules = rules
        pace = OutboxPace(rate: rules.drainRate)
    }

    /// What a record is counted with.
    package static func cost(topic: String, payload: Int) -> Int { topic.utf8.count + payload + overhead }

    /// Takes a record in; it isn't offered before `release`.
    ///
    /// - Parameters:
    ///   - id: greater than all before.
    ///   - cost: as `cost` tells it.
    /// - Returns: those that were given up for it, or itself.
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

    /// It is on disk, or never will be: it may be offered.
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

    /// Those that come in again from the disk waited out an outage.
    package mutating func restore(
        _ id: Int64, topic: String, cost: Int, priority: OutboxPriority, position: RecordPosition, at enteredAt: Int64
    ) -> [Int64] {
        let removed = append(id, topic: topic, cost: cost, priority: priority, position: position, at: enteredAt)
        if let index = index(of: id), entries[index].state == .arriving { wait([index]) }
        return removed
    }

    /// Records from `firstID` on came in later than was known.
    package mutating func restamp(from firstID: Int64, by microseconds: Int64) {
        for index in entries.indices.reversed() {
            guard entries[index].id >= firstID else { return }
            entries[index].enteredAt += microseconds
        }
    }

    package func isHeld(_ id: Int64) -> Bool { index(of: id) != nil }

    package func isOffered(_ id: Int64) -> Bool { entry(id)?.state == .offered }

    /// What a record is, unless it is gone.
    package func entry(_ id: Int64) -> Entry? { index(of: id).map { entries[$0] } }

    /// Of those that are held.
    package var oldestEntryAt: Int64? { entries.first { $0.state != .gone }?.enteredAt }

    /// Of all records that are held.
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
