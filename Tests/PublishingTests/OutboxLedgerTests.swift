import BeaconModel
import Testing

@testable import Publishing
@testable import RecordContract

@Suite(.timeLimit(.minutes(10))) struct OutboxLedgerTests {
    private let instant = ContinuousClock.now

    /// A ledger and its next identifier.
    private struct Box {
        var ledger: OutboxLedger
        var id: Int64 = 0
        var now: Int64 = 1_000_000_000

        init(_ rules: OutboxRules = OutboxRules(), online: Bool = false) {
            ledger = OutboxLedger(rules: rules)
            ledger.setOnline(online)
        }

        /// - Returns: what was given up.
        @discardableResult
        mutating func append(_ topic: String = "t", _ priority: OutboxPriority = .started, payload: Int = 35) -> [Int64]
        {
            id += 1
            let cost = OutboxLedger.cost(topic: topic, payload: payload)
            let position = RecordPosition(boot: 1, sequence: UInt64(id))
            let removed = ledger.append(id, topic: topic, cost: cost, priority: priority, position: position, at: now)
            ledger.release(id)
            return removed
        }

        mutating func isHistorical(_ id: Int64) -> Bool? { ledger.entry(id)?.isHistorical }
    }

    // MARK: Evicted and unreadable records

    @Test("What was evicted is told once")
    func evictedOnce() {
        var box = Box(OutboxRules(bytes: 250))
        for _ in 1...4 { box.append(payload: 35) }
        #expect(box.ledger.takeEvicted() == [.started: 2])
        #expect(box.ledger.takeEvicted() == [:])
        box.append(payload: 35)
        #expect(box.ledger.takeEvicted() == [.started: 1])
        #expect(box.ledger.evicted == [.started: 3])
    }

    @Test("What cannot be read waits again together with the other records of its topic, and in its order")
    func unreadable() {
        var box = Box(online: true)
        for topic in ["a", "b", "a"] { box.append(topic) }
        let ids = box.ledger.offer(9, now: instant).ids
        box.ledger.withdraw(ids, unreadable: [1])
        #expect(box.ledger.entries(offered: ids).map(\.id) == [2])
        #expect(box.ledger.offer(9, now: instant).ids == [1, 3])
    }

    // MARK: Order

    @Test("What comes in while the broker is there is offered at once, in its order, each once, and isn't historical")
    func live() {
        var box = Box(online: true)
        for topic in ["a", "b", "a"] { box.append(topic) }
        #expect(box.ledger.offer(2, now: instant).ids == [1, 2])
        #expect(box.ledger.offer(9, now: instant).ids == [3])
        #expect(box.ledger.offer(9, now: instant).ids == [])
        #expect((1...3).map { box.isHistorical($0) } == [false, false, false])
    }

    @Test("Nothing is offered before it is on disk")
    func arriving() {
        var box = Box(online: true)
        let position = RecordPosition(boot: 1, sequence: 1)
        _ = box.ledger.append(1, topic: "a", cost: 100, priority: .started, position: position, at: 0)
        #expect(box.ledger.offer(9, now: instant).ids == [])
        box.ledger.release(1)
        #expect(box.ledger.offer(9, now: instant).ids == [1])
    }

    @Test("What comes in while the broker is away is historical, and is offered oldest first")
    func offline() {
        var box = Box()
        for topic in ["a", "b", "a"] { box.append(topic) }
        #expect(box.ledger.offer(9, now: instant).ids == [])
        box.ledger.setOnline(true)
        #expect(box.ledger.offer(9, now: instant).ids == [1, 2, 3])
        #expect((1...3).map { box.isHistorical($0) } == [true, true, true])
    }

    @Test("A present record goes before other topics' past")
    func presentFirst() {
        var box = Box()
        for _ in 0..<3 { box.append("past") }
        box.ledger.setOnline(true)
        box.append("present")
        #expect(box.ledger.offer(2, now: instant).ids == [4, 1])
        #expect(box.isHistorical(4) == false)
    }

    @Test("A present record pulls its own topic's past forward and goes behind it, as history")
    func pullForward() {
        var box = Box()
        for topic in ["a", "a", "b", "b", "a"] { box.append(topic) }
        box.ledger.setOnline(true)
        box.append("b")
        #expect(box.ledger.offer(9, now: instant).ids == [3, 4, 6, 1, 2, 5])
        #expect(box.isHistorical(6) == true)
    }

    @Test("Topics whose present waits take turns")
    func turns() {
        var box = Box()
        for topic in ["a", "a", "b", "b", "c"] { box.append(topic) }
        box.ledger.setOnline(true)
        box.append("b")
        box.append("a")
        #expect(box.ledger.offer(9, now: instant).ids == [3, 1, 4, 2, 6, 7, 5])
    }

    @Test("When the connection is lost, what was offered waits again in its old place, as history")
    func lost() {
        var box = Box(online: true)
        for topic in ["a", "b", "a", "b"] { box.append(topic) }
        _ = box.ledger.offer(3, now: instant)
        _ = box.ledger.acknowledge([2], at: box.now)
        box.ledger.setOnline(false)
        box.append("a")
        box.ledger.setOnline(true)
        #expect(box.ledger.offer(9, now: instant).ids == [1, 3, 4, 5])
        #expect([1, 3, 4, 5].map { box.isHistorical($0) } == [true, true, true, true])
    }

    // MARK: Pace

    @Test("History is offered at its pace, with a second's worth at once; the present isn't held back by it")
    func pace() {
        var box = Box(OutboxRules(drainRate: 10))
        for _ in 0..<100 { box.append("past") }
        box.ledger.setOnline(true)
        let first = box.ledger.offer(1000, now: instant)
        #expect(first.ids.count == 10)
        #expect(first.retryAfter == .milliseconds(100))
        box.append("present")
        let second = box.ledger.offer(1000, now: instant)
        #expect(second.ids == [101])
        #expect(second.retryAfter != nil)
        #expect(box.ledger.offer(1000, now: instant + .seconds(0.5)).ids.count == 5)
        #expect(box.ledger.offer(1000, now: instant + .seconds(100)).ids.count == 10)
    }

    @Test("The pace holds for what is pulled forward too")
    func paceOfPulled() {
        var box = Box(OutboxRules(drainRate: 10))
        for _ in 0..<100 { box.append("a") }
        box.ledger.setOnline(true)
        box.append("a")
        #expect(box.ledger.offer(1000, now: instant).ids.count == 10)
    }

    @Test("Nobody is told to wait when it is the window that is full")
    func windowFull() {
        var box = Box(OutboxRules(drainRate: 10))
        for _ in 0..<100 { box.append("a") }
        box.ledger.setOnline(true)
        let offer = box.ledger.offer(5, now: instant)
        #expect(offer.ids.count == 5)
        #expect(offer.retryAfter == nil)
    }

    // MARK: Giving up

    /// Three records of 100 bytes each.
    private let three = OutboxRules(bytes: 300)

    @Test("When it is full, updates make room, the oldest first, and are counted")
    func eviction() {
        var box = Box(three)
        box.append("t", .started)
        box.append("t", .updated)
        box.append("t", .updated)
        #expect(box.ledger.bytes == 300)
        #expect(box.append("t", .ended) == [2])
        #expect(box.append("t", .started) == [3])
        #expect(box.ledger.evicted == [.updated: 2])
        #expect(box.ledger.bytes == 300)
    }

    @Test("Readings make room when no update is left, and before what began")
    func evictionOfReadings() {
        var box = Box(three)
        for priority in [OutboxPriority.started, .readings, .updated] { box.append("t", priority) }
        #expect(box.append("t", .readings) == [3])
        #expect(box.append("t", .started) == [2])
        #expect(box.append("t", .ended) == [4])
        #expect(box.append("t", .readings) == [7])
        #expect(box.ledger.evicted == [.updated: 1, .readings: 3])
    }

    @Test("Without updates, started ones make room for ended ones")
    func evictionOfStarted() {
        var box = Box(three)
        for priority in [OutboxPriority.ended, .started, .started] { box.append("t", priority) }
        #expect(box.append("t", .ended) == [2])
        #expect(box.append("t", .ended) == [3])
        #expect(box.append("t", .ended) == [1])
        #expect(box.ledger.evicted == [.started: 2, .ended: 1])
    }

    @Test("A new update that finds only better ones is refused and counted")
    func newUpdate() {
        var box = Box(three)
        for _ in 0..<3 { box.append("t", .started) }
        #expect(box.append("t", .updated) == [4])
        #expect(box.ledger.evicted == [.updated: 1])
        #expect(box.ledger.count == 3)
    }

    @Test("What is on its way is given up only when nothing else is worth less than the new one")
    func evictionOfOffered() {
        var box = Box(three, online: true)
        for priority in [OutboxPriority.updated, .updated, .started] { box.append("t", priority) }
        _ = box.ledger.offer(2, now: instant)
        #expect(box.append("t", .started) == [3])
        _ = box.ledger.offer(1, now: instant)
        #expect(box.append("t", .ended) == [1])
        #expect(box.append("t", .updated) == [6])
    }

    @Test("A record that is larger than the outbox is refused, and nothing is given up for it")
    func tooLarge() {
        var box = Box(three)
        box.append("t", .updated)
        #expect(box.append("t", .ended, payload: 300) == [2])
        #expect(box.ledger.count == 1)
    }

    @Test("What is older than the rules say expires, but for what is on its way")
    func expiry() {
        var box = Box(OutboxRules(age: .seconds(100)), online: true)
        for _ in 0..<3 { box.append() }
        _ = box.ledger.offer(1, now: instant)
        box.now += 60_000_000
        box.append()
        #expect(box.ledger.expire(at: box.now + 39_000_000) == [])
        #expect(box.ledger.expire(at: box.now + 41_000_000) == [2, 3])
        #expect(box.ledger.expired == 2)
        #expect(box.ledger.count == 2)
    }

    // MARK: Consumer

    private let consumer = OutboxRules(confirmation: .consumer, confirmTimeout: .seconds(60))

    @Test("With a consumer's confirmation, what is acknowledged stays until it is stored")
    func confirmation() {
        var box = Box(consumer, online: true)
        for _ in 0..<3 { box.append() }
        _ = box.ledger.offer(9, now: instant)
        #expect(box.ledger.acknowledge([1, 2, 3], at: box.now) == [])
        #expect(box.ledger.waitingForConsumer == 3)
        #expect(box.ledger.stored(through: RecordPosition(boot: 1, sequence: 2)) == [1, 2])
        #expect(box.ledger.oldest == RecordPosition(boot: 1, sequence: 3))
        #expect(box.ledger.waitingForConsumer == 1)
    }

    @Test("What the consumer passed over goes out again after the time for it, as history, and not more often")
    func reoffer() {
        var box = Box(consumer, online: true)
        for _ in 0..<3 { box.append() }
        _ = box.ledger.offer(9, now: instant)
        _ = box.ledger.acknowledge([1, 2, 3], at: box.now)
        box.ledger.reofferUnconfirmed(at: box.now + 60_000_000)
        #expect(box.ledger.offer(9, now: instant).ids == [])
        box.ledger.reofferUnconfirmed(at: box.now + 62_000_000)
        #expect(box.ledger.offer(9, now: instant).ids == [1, 2, 3])
        #expect(box.isHistorical(1) == true)
        _ = box.ledger.acknowledge([1, 2, 3], at: box.now + 62_000_000)
        box.ledger.reofferUnconfirmed(at: box.now + 100_000_000)
        #expect(box.ledger.offer(9, now: instant).ids == [])
        box.ledger.reofferUnconfirmed(at: box.now + 124_000_000)
        #expect(box.ledger.offer(9, now: instant).ids == [1, 2, 3])
    }

    @Test("A lost connection doesn't send again what the broker has acknowledged")
    func acknowledgedStays() {
        var box = Box(consumer, online: true)
        for _ in 0..<2 { box.append() }
        _ = box.ledger.offer(9, now: instant)
        _ = box.ledger.acknowledge([1], at: box.now)
        box.ledger.setOnline(false)
        box.ledger.setOnline(true)
        #expect(box.ledger.offer(9, now: instant).ids == [2])
    }

    @Test("A position that this gateway hasn't reached, of another life of it, removes nothing")
    func strangePosition() {
        var box = Box(consumer)
        for _ in 0..<3 { box.append() }
        #expect(box.ledger.stored(through: RecordPosition(boot: 57, sequence: 1000)) == [])
        #expect(box.ledger.stored(through: RecordPosition(boot: 1, sequence: 4)) == [])
        #expect(box.ledger.count == 3)
    }

    @Test("A position between this gateway's boots is that of another one of its name, and removes nothing")
    func positionOfAnotherGateway() {
        var box = Box(consumer)
        for boot in [1, 3] as [UInt64] {
            box.id += 1
            _ = box.ledger.append(
                box.id, topic: "t", cost: 99, priority: .started, position: RecordPosition(boot: boot, sequence: 1),
                at: box.now)
            box.ledger.release(box.id)
        }
        #expect(box.ledger.stored(through: RecordPosition(boot: 2, sequence: 9)) == [])
        #expect(box.ledger.stored(through: RecordPosition(boot: 1, sequence: 9)) == [1])
        #expect(box.ledger.stored(through: RecordPosition(boot: 3, sequence: 0)) == [])
        #expect(box.ledger.stored(through: RecordPosition(boot: 3, sequence: 1)) == [2])
    }

    @Test("Positions that don't grow are told and removed all the same")
    func positionsOutOfOrder() {
        var box = Box(consumer)
        for sequence in [5, 2, 9, 1] as [UInt64] {
            box.id += 1
            let position = RecordPosition(boot: 1, sequence: sequence)
            _ = box.ledger.append(box.id, topic: "t", cost: 99, priority: .started, position: position, at: box.now)
            box.ledger.release(box.id)
        }
        #expect(box.ledger.oldest == RecordPosition(boot: 1, sequence: 1))
        #expect(box.ledger.stored(through: RecordPosition(boot: 1, sequence: 4)) == [2, 4])
        #expect(box.ledger.oldest == RecordPosition(boot: 1, sequence: 5))
    }

    @Test("Without a consumer's confirmation, what it has stored removes nothing")
    func storedForNobody() {
        var box = Box()
        box.append()
        #expect(box.ledger.stored(through: RecordPosition(boot: 1, sequence: 1)) == [])
    }

    // MARK: Size

    @Test("A topic is forgotten with its last record")
    func topics() {
        var box = Box(online: true)
        for number in 0..<10_000 {
            box.append("topic/\(number)")
            _ = box.ledger.acknowledge(box.ledger.offer(9, now: instant).ids, at: box.now)
        }
        #expect(box.ledger.topics.lanes.count == 1)
    }
}
