import BeaconModel
import TestValues
import Testing

@testable import Publishing
@testable import RecordContract

/// What becomes of records that the broker refuses.
@Suite(.timeLimit(.minutes(10))) struct OutboxRefusalTests {
    private let start = ContinuousClock.now

    private struct Box {
        var ledger: OutboxLedger
        var id: Int64 = 0

        init(_ topics: [String], rules: OutboxRules = OutboxRules(drainRate: 1e9)) {
            ledger = OutboxLedger(rules: rules)
            ledger.setOnline(true)
            for topic in topics { append(topic) }
        }

        mutating func append(_ topic: String) {
            id += 1
            _ = ledger.append(
                id, topic: topic, cost: 100, priority: .started,
                position: RecordPosition(boot: 1, sequence: UInt64(id)),
                at: id)
            ledger.release(id)
        }

        mutating func offer(_ now: ContinuousClock.Instant) -> [Int64] { ledger.offer(.max, now: now).ids }
    }

    @Test("A refused record is tried again after a second, and then ever later, up to a minute")
    func hold() {
        var box = Box(["a"])
        var now = start
        #expect(box.offer(now) == [1])
        for seconds in [1, 2, 4, 8, 16, 32, 60, 60] {
            box.ledger.withhold(1, at: now)
            let early = box.ledger.offer(9, now: now + .seconds(seconds) - .milliseconds(1))
            #expect(early.ids == [] && early.retryAfter == .milliseconds(1), "\(seconds) s")
            now += .seconds(seconds)
            #expect(box.offer(now) == [1], "\(seconds) s")
        }
        #expect(box.ledger.acknowledge([1], at: 0) == [1])
        #expect(box.ledger.refusing.isEmpty && box.ledger.withheld == 0 && box.ledger.count == 0)
    }

    @Test("Records of its topic wait behind it in their order, and those of other topics don't")
    func order() {
        var box = Box(["a", "a", "b"])
        #expect(box.offer(start) == [1, 2, 3])
        box.ledger.withhold(1, at: start)
        box.ledger.withhold(2, at: start)
        for topic in ["a", "b"] { box.append(topic) }
        #expect(box.offer(start) == [5])
        #expect(box.ledger.acknowledge([3, 5], at: 0) == [3, 5])
        #expect(box.ledger.withheld == 3)
        #expect(box.offer(start + .seconds(1)) == [1, 2, 4])
        #expect(box.ledger.acknowledge([1, 2, 4], at: 0) == [1, 2, 4])
        box.append("a")
        #expect(box.offer(start + .seconds(1)) == [6])
    }

    @Test("Once the broker takes another record of the topic, only the refused one waits")
    func poison() {
        var box = Box(Array(repeating: "a", count: 30))
        #expect(box.offer(start).count == 30)
        for id in 1...30 as ClosedRange<Int64> { box.ledger.withhold(id, at: start) }
        let now = start + .seconds(1)
        #expect(box.offer(now) == Array(1...8))
        box.ledger.withhold(1, at: now)
        #expect(box.offer(now) == [])
        _ = box.ledger.acknowledge([2], at: 0)
        #expect(box.offer(now) == [1] + Array(9...30), "it has taken one that it had refused: all are tried")
        box.ledger.withhold(1, at: now)
        box.append("a")
        #expect(box.offer(now) == [])
        _ = box.ledger.acknowledge(Array(3...30), at: 0)
        box.append("a")
        #expect(box.offer(now).sorted().contains(32))
    }

    @Test("A refused record expires as others do, and then holds nothing back")
    func expiry() {
        var box = Box(["a"], rules: OutboxRules(age: .microseconds(10), drainRate: 1e9))
        #expect(box.offer(start) == [1])
        box.ledger.withhold(1, at: start)
        box.append("a")
        #expect(box.offer(start) == [])
        #expect(box.ledger.expire(at: 12) == [1])
        #expect(box.ledger.expired == 1)
        #expect(box.offer(start) == [2])
        #expect(box.ledger.refusing.isEmpty && box.ledger.withheld == 0)
    }

    @Test("A refused record is evicted as others are")
    func eviction() {
        var box = Box(["a", "a"], rules: OutboxRules(bytes: 250, drainRate: 1e9))
        #expect(box.offer(start) == [1, 2])
        box.ledger.withhold(1, at: start)
        box.ledger.withhold(2, at: start)
        box.append("b")
        #expect(!box.ledger.isHeld(1))
        #expect(box.ledger.count == 2 && box.ledger.withheld == 1)
    }

    @Test("Another connection tries all of them at once, in their order")
    func reconnection() {
        var box = Box(["a", "a", "b"])
        _ = box.offer(start)
        for id in 1...3 as ClosedRange<Int64> { box.ledger.withhold(id, at: start) }
        box.ledger.setOnline(false)
        #expect(box.ledger.withheld == 0 && box.ledger.offeredCount == 0)
        box.ledger.setOnline(true)
        #expect(box.offer(start) == [1, 2, 3])
        _ = box.ledger.acknowledge([1, 2, 3], at: 0)
        #expect(box.ledger.count == 0 && box.ledger.refusing.isEmpty)
    }

    @Test("Whatever is refused in whichever order, all arrive that are taken, and the others are kept")
    func random() {
        var generator = SeededGenerator("refusals")
        let comment = generator.comment
        for _ in 0..<TestScale.amount(200, full: 400) {
            var box = Box([])
            var now = start
            let poison = Set(
                (0..<Int.random(in: 0...4, using: &generator)).map { _ in Int64.random(in: 1...60, using: &generator) })
            var (offered, taken): ([Int64], Set<Int64>) = ([], [])
            var denied: String?
            for step in 0..<400 {
                if box.id < 60 { box.append(["a", "b", "c"].randomElement(using: &generator) ?? "a") }
                if step % 40 == 0 {
                    denied = step < 200 ? ["a", "b", nil].randomElement(using: &generator) ?? nil : nil
                }
                now += .milliseconds(Int.random(in: 0...2000, using: &generator))
                offered += box.ledger.offer(Int.random(in: 0...10, using: &generator), now: now).ids
                for _ in 0..<Int.random(in: 0...offered.count, using: &generator) {
                    let id = offered.removeFirst()
                    let topic = box.ledger.entry(id).map { box.ledger.topics[$0.topic].topic }
                    if poison.contains(id) || topic == denied {
                        box.ledger.withhold(id, at: now)
                    } else {
                        #expect(taken.insert(id).inserted, comment)
                        #expect(box.ledger.acknowledge([id], at: 0) == [id], comment)
                    }
                }
                if Int.random(in: 0..<50, using: &generator) == 0 {
                    box.ledger.setOnline(false)
                    box.ledger.setOnline(true)
                    offered = []
                }
            }
            for _ in 0..<200 {
                now += .seconds(61)
                offered += box.offer(now)
                for id in offered {
                    if poison.contains(id) {
                        box.ledger.withhold(id, at: now)
                    } else {
                        _ = box.ledger.acknowledge([id], at: 0)
                    }
                }
                offered = []
            }
            let rest = (1...60).filter { box.ledger.isHeld($0) }
            #expect(Set(rest) == poison, comment)
            #expect(box.ledger.count == poison.count && box.ledger.withheld == poison.count, comment)
            #expect(box.ledger.waiting == 0 && box.ledger.offeredCount == 0, comment)
            if Set(rest) != poison { return }
        }
    }
}
