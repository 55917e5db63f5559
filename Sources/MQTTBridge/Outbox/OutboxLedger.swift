import BeaconModel
import DequeModule
import HeapModule

/// What is in the outbox, and what becomes of it: what is given up, what is offered next, what is offered again.
///
/// It knows of each record what has to be known to decide, but not its contents (48 bytes, and 8 in each of up to three
/// queues). Queues contain what has left them already and are tidied when that is more than half, so that each operation
/// takes logarithmic time on average. Times are microseconds of an `OutboxClock`.
struct OutboxLedger: Sendable {
    /// What a record is counted with beside its payload and topic.
    static let overhead = 64

    let rules: OutboxRules
    var isOnline = false

    /// By growing identifiers, with those that are gone until it is tidied.
    var entries: Deque<Entry> = []
    var topics = OutboxTopics()
    /// Records held.
    private(set) var count = 0
    private(set) var bytes = 0
    private var counts = [0, 0, 0]
    /// How many wait, historical, of all topics.
    var waiting = 0
    private(set) var waitingForConsumer = 0

    var liveQueue: Deque<Int64> = []
    /// All that wait, historical.
    var history: Heap<Int64> = []
    /// Topics of which a present record waits behind historical ones, each in its turn.
    var urgent: Deque<Int32> = []
    var offered: Set<Int64> = []
    var pace: OutboxPace
    /// By priority: what may have to be given up.
    private var expendable: [Heap<Int64>] = [[], [], []]
    /// In the order of acknowledgement, with its time.
    var acknowledged: Deque<(id: Int64, at: UInt32)> = []

    /// Whether positions grow like identifiers; they do unless a gateway lost count of its boots.
    private(set) var isInOrder = true
    /// The last position that came in, and the highest.
    private var latest: RecordPosition?
    private(set) var newest: RecordPosition?

    private(set) var evicted: [OutboxPriority: UInt64] = [:]
    private(set) var expired: UInt64 = 0

    struct Entry: Sendable {
        let id: Int64
        let enteredAt: Int64
        let position: RecordPosition
        let bytes: Int32
        let topic: Int32
        /// In seconds.
        var acknowledgedAt: UInt32 = 0
        let priority: OutboxPriority
        var state: State
        /// Whether it waited out an outage.
        var isHistorical = false
    }

    enum State: UInt8, Sendable {
        /// On its way to the disk, and not to be offered yet.
        case arriving
        /// Waits, and may go at once.
        case live
        /// Waits for its turn at the pace of history.
        case historical
        case offered
        /// By the broker; it is kept for the consumer.
        case acknowledged
        case gone
    }

    init(rules: OutboxRules) {
        self.rules = rules
        pace = OutboxPace(rate: rules.drainRate)
    }

    /// What a record is counted with.
    static func cost(topic: String, payload: Int) -> Int { topic.utf8.count + payload + overhead }

    // MARK: Coming in

    /// Takes a record in; it isn't offered before `release`.
    ///
    /// - Parameters:
    ///   - id: greater than all before.
    ///   - cost: as `cost` tells it.
    /// - Returns: those that were given up for it, or itself.
    mutating func append(
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
        counts[Int(priority.rawValue)] += 1
        expendable[Int(priority.rawValue)].insert(id)
        return evict(for: id)
    }

    /// It is on disk, or never will be: it may be offered.
    mutating func release(_ id: Int64) {
        guard let index = index(of: id), entries[index].state == .arriving else { return }
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
    mutating func restore(
        _ id: Int64, topic: String, cost: Int, priority: OutboxPriority, position: RecordPosition, at enteredAt: Int64
    ) -> [Int64] {
        let removed = append(id, topic: topic, cost: cost, priority: priority, position: position, at: enteredAt)
        if let index = index(of: id), entries[index].state == .arriving { wait([index]) }
        return removed
    }

    // MARK: Going

    /// The broker has them.
    ///
    /// - Returns: those that needn't be kept any longer.
    mutating func acknowledge(_ ids: [Int64], at now: Int64) -> [Int64] {
        var removed: [Int64] = []
        for id in ids {
            guard let index = index(of: id), entries[index].state == .offered else { continue }
            guard rules.confirmation == .consumer else {
                remove(at: index)
                removed.append(id)
                continue
            }
            leave(at: index)
            let seconds = UInt32(clamping: now / 1_000_000)
            entries[index].state = .acknowledged
            entries[index].acknowledgedAt = seconds
            waitingForConsumer += 1
            acknowledged.append((id, seconds))
            expendable[Int(entries[index].priority.rawValue)].insert(id)
        }
        tidy()
        return removed
    }

    /// It is gone for another reason.
    ///
    /// - Returns: whether it was there.
    @discardableResult
    mutating func drop(_ id: Int64) -> Bool {
        guard let index = index(of: id) else { return false }
        remove(at: index)
        tidy()
        return true
    }

    /// Gives up what is older than the rules say, unless it is on its way.
    mutating func expire(at now: Int64) -> [Int64] {
        let limit = now - rules.age.clampedMicroseconds
        var removed: [Int64] = []
        var index = 0
        while index < entries.count, entries[index].state == .gone || entries[index].enteredAt < limit {
            switch entries[index].state {
            case .gone, .offered, .arriving: break
            case .live, .historical, .acknowledged:
                removed.append(entries[index].id)
                remove(at: index)
                expired += 1
            }
            index += 1
        }
        tidy()
        return removed
    }

    /// The consumer has stored everything up to `position`.
    ///
    /// A position that this gateway hasn't reached is of another life of it, and says nothing.
    mutating func stored(through position: RecordPosition) -> [Int64] {
        guard rules.confirmation == .consumer, let newest, position <= newest else { return [] }
        var removed: [Int64] = []
        var index = 0
        while index < entries.count {
            let entry = entries[index]
            if entry.state != .gone, entry.state != .arriving, entry.position <= position {
                removed.append(entry.id)
                remove(at: index)
            } else if isInOrder, entry.position > position {
                break
            }
            index += 1
        }
        tidy()
        return removed
    }

    /// The consumer is at work: what the broker has had for longer than `confirmTimeout` goes to it again, as history.
    mutating func reofferUnconfirmed(at now: Int64) {
        let limit = UInt32(clamping: (now - rules.confirmTimeout.clampedMicroseconds) / 1_000_000)
        var again: [Int] = []
        while let first = acknowledged.first, first.at < limit || entry(first.id)?.state != .acknowledged {
            acknowledged.removeFirst()
            if let index = index(of: first.id), entries[index].state == .acknowledged,
                entries[index].acknowledgedAt == first.at
            {
                again.append(index)
            }
        }
        again.sort()
        for index in again { leave(at: index) }
        wait(again)
        // What is present mustn't overtake it.
        for number in Set(again.map { entries[$0].topic }) where topics[number].live > 0 {
            let present = liveQueue.compactMap { index(of: $0) }
                .filter { entries[$0].topic == number && entries[$0].state == .live }
            for index in present { leave(at: index) }
            wait(present)
            hurry(number)
        }
    }

    // MARK: Looking

    /// What a record is, unless it is gone.
    func entry(_ id: Int64) -> Entry? { index(of: id).map { entries[$0] } }

    /// Of those that are held.
    var oldestEntryAt: Int64? { entries.first { $0.state != .gone }?.enteredAt }

    var newestEntryAt: Int64? { entries.last?.enteredAt }

    /// The smallest position that is held.
    var oldest: RecordPosition? {
        if isInOrder { return entries.first { $0.state != .gone }?.position }
        return entries.lazy.filter { $0.state != .gone }.map(\.position).min()
    }

    func index(of id: Int64) -> Int? {
        guard let first = entries.first, id >= first.id else { return nil }
        // Without gaps it is where its number says, and never after that.
        var upper = Int(min(id - first.id, Int64(entries.count - 1)))
        var lower = 0
        if entries[upper].id != id {
            while lower < upper {
                let middle = (lower + upper) / 2
                if entries[middle].id < id { lower = middle + 1 } else { upper = middle }
            }
        }
        return entries[upper].id == id && entries[upper].state != .gone ? upper : nil
    }

    // MARK: States

    func isWaiting(_ id: Int64) -> Bool { entry(id)?.state == .historical }

    /// They wait, historical.
    ///
    /// - Parameter indices: growing; of entries in no queue.
    mutating func wait(_ indices: [Int]) {
        var byTopic: [Int32: [Int64]] = [:]
        for index in indices {
            let entry = entries[index]
            entries[index].state = .historical
            entries[index].isHistorical = true
            byTopic[entry.topic, default: []].append(entry.id)
            history.insert(entry.id)
            // It may have been passed over while it was offered.
            expendable[Int(entry.priority.rawValue)].insert(entry.id)
        }
        for (number, ids) in byTopic { topics[number].wait(ids) }
        waiting += indices.count
    }

    /// This topic's past goes before others'.
    private mutating func hurry(_ number: Int32) {
        guard !topics[number].isUrgent else { return }
        topics[number].isUrgent = true
        urgent.append(number)
    }

    /// Takes an entry out of whatever counts it by its state.
    mutating func leave(at index: Int) {
        let entry = entries[index]
        switch entry.state {
        case .live: topics[entry.topic].live -= 1
        case .historical:
            entries[index].state = .gone
            waiting -= 1
            withLane(entry.topic) { lane, isWaiting in lane.forgetOne(isWaiting) }
        case .offered: offered.remove(entry.id)
        case .acknowledged: waitingForConsumer -= 1
        case .arriving, .gone: break
        }
    }

    /// Works on a lane while the rest can be looked at; it is taken out, since a copy of it would cost its length.
    mutating func withLane<Result>(
        _ number: Int32, _ body: (inout OutboxLane, (Int64) -> Bool) -> Result
    ) -> Result {
        var lane = OutboxLane(topic: "")
        swap(&lane, &topics[number])
        defer { swap(&lane, &topics[number]) }
        return body(&lane) { self.isWaiting($0) }
    }

    private mutating func remove(at index: Int) {
        let entry = entries[index]
        leave(at: index)
        entries[index].state = .gone
        count -= 1
        bytes -= Int(entry.bytes)
        counts[Int(entry.priority.rawValue)] -= 1
        topics.removeRecord(of: entry.topic)
    }

    /// Rids the queues of what isn't in them any more. Indices change.
    private mutating func tidy() {
        while entries.first?.state == .gone { entries.removeFirst() }
        if entries.count > 2 * count + 64 { entries.removeAll { $0.state == .gone } }
        if liveQueue.count > 1024, liveQueue.count > 2 * count {
            liveQueue = liveQueue.filter { entry($0)?.state == .live }
        }
        if history.count > 2 * waiting + 64 {
            history = Heap(history.unordered.filter { isWaiting($0) })
        }
        if acknowledged.count > 2 * waitingForConsumer + 64 {
            acknowledged = acknowledged.filter { entry($0.id)?.state == .acknowledged }
        }
        for priority in expendable.indices where expendable[priority].count > 2 * counts[priority] + 64 {
            expendable[priority] = Heap(Set(expendable[priority].unordered).filter { entry($0) != nil })
        }
    }

    // MARK: Giving up

    /// Gives up the least that makes room: the lowest priority first, of one priority the oldest first; what is on its
    /// way only when nothing else is worth less than the new one.
    private mutating func evict(for new: Int64) -> [Int64] {
        guard bytes > rules.bytes else { return [] }
        var removed: [Int64] = []
        while bytes > rules.bytes, let id = leastWorth(for: new), let index = index(of: id) {
            evicted[entries[index].priority, default: 0] += 1
            remove(at: index)
            removed.append(id)
        }
        tidy()
        return removed
    }

    /// Gives up one for lack of room elsewhere.
    mutating func evict(_ id: Int64) {
        guard let index = index(of: id) else { return }
        evicted[entries[index].priority, default: 0] += 1
        remove(at: index)
        tidy()
    }

    private mutating func leastWorth(for new: Int64) -> Int64? {
        var least: Int64?
        for priority in expendable.indices where least == nil {
            while let id = expendable[priority].min {
                if let entry = entry(id), entry.state != .offered {
                    least = id
                    break
                }
                expendable[priority].removeMin()
            }
        }
        guard least == nil || least == new else { return least }
        let priority = entry(new)?.priority ?? .ended
        let onTheirWay = offered.compactMap { entry($0) }.filter { least == nil || $0.priority < priority }
        return onTheirWay.min { ($0.priority, $0.id) < ($1.priority, $1.id) }?.id ?? least
    }
}
