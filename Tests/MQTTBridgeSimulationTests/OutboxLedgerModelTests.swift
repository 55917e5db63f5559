import BeaconModel
import TestValues
import Testing

@testable import Publishing
@testable import RecordContract

@Suite(.timeLimit(.minutes(10))) struct OutboxLedgerModelTests {
    @Test(
        "Whatever happens in whichever order, the ledger keeps, offers and counts what the rules say",
        arguments: OutboxRules.Confirmation.allCases)
    func random(_ confirmation: OutboxRules.Confirmation) {
        var generator = SeededGenerator("OutboxLedger \(confirmation)")
        let comment = generator.comment
        for _ in 0..<TestScale.amount(30, full: 3000) {
            let rules = OutboxRules(
                bytes: Int.random(in: 500...20_000, using: &generator), age: .seconds(600), drainRate: 1e12,
                confirmation: confirmation, confirmTimeout: .seconds(60))
            var run = OutboxLedgerRun(rules: rules)
            var steps = 0
            while steps < 400, run.difference == nil {
                run.step(&generator)
                steps += 1
            }
            #expect(run.difference == nil, "step \(steps); \(comment)")
            if run.difference != nil { return }
        }
    }
}

/// The ledger and the model, to which the same happens.
private struct OutboxLedgerRun {
    var ledger: OutboxLedger
    var model: OutboxLedgerModel
    var difference: String?
    private var now: Int64 = 1_000_000_000_000
    private var id: Int64 = 0
    private var arriving: [Int64] = []
    /// Of each topic what went out last in this connection, unless it was sent again.
    private var last: [String: Int64] = [:]

    init(rules: OutboxRules) {
        ledger = OutboxLedger(rules: rules)
        model = OutboxLedgerModel(rules: rules)
    }

    mutating func step(_ generator: inout SeededGenerator) {
        now += Int64.random(in: 0...4_000_000, using: &generator)
        let offered = model.records.filter { $0.state == .offered }.map(\.id)
        switch Int.random(in: 0..<100, using: &generator) {
        case ..<45:
            append(&generator)
            if Int.random(in: 0..<4, using: &generator) > 0 { releaseAll() }
        case ..<50: releaseAll()
        case ..<54: setOnline(!model.isOnline)
        case ..<74: offer(Int.random(in: 1...8, using: &generator))
        case ..<88:
            let ids = offered.filter { _ in Bool.random(using: &generator) }
            let removed = ledger.acknowledge(ids, at: now)
            model.acknowledge(ids, at: now)
            if ledger.rules.confirmation == .broker, removed != ids {
                difference = "acknowledged \(removed), not \(ids)"
            }
        case ..<90:
            guard let id = offered.randomElement(using: &generator) else { break }
            ledger.withdraw([id])
            model.withdraw([id])
            last = [:]
        case ..<92:
            guard let id = model.records.randomElement(using: &generator)?.id else { break }
            ledger.drop(id)
            model.drop(id)
        case ..<95:
            _ = ledger.expire(at: now)
            model.expire(at: now)
        default:
            guard let position = model.records.randomElement(using: &generator)?.position else { break }
            let removed = ledger.stored(through: position)
            if removed.contains(where: { id in model.records.contains { $0.id == id && $0.position > position } }) {
                difference = "removed what isn't stored"
            }
            model.stored(through: position)
            if Bool.random(using: &generator), ledger.rules.confirmation == .consumer {
                ledger.reofferUnconfirmed(at: now)
                model.reoffer(at: now)
                last = [:]
            }
        }
        compare()
    }

    private mutating func append(_ generator: inout SeededGenerator) {
        id += Int64.random(in: 1...3, using: &generator)
        let priority = [OutboxPriority.updated, .updated, .readings, .started, .ended].randomElement(using: &generator)
        let topic = "topic/\(Int.random(in: 0..<6, using: &generator))"
        let cost = OutboxLedger.cost(topic: topic, payload: Int.random(in: 0...600, using: &generator))
        let position = RecordPosition(boot: 1, sequence: UInt64(id))
        let kind = priority ?? .updated
        _ = ledger.append(id, topic: topic, cost: cost, priority: kind, position: position, at: now)
        model.append(
            .init(
                id: id, topic: topic, cost: cost, priority: kind, position: position, enteredAt: now, state: .arriving))
        arriving.append(id)
    }

    private mutating func releaseAll() {
        for id in arriving {
            ledger.release(id)
            model.release(id)
        }
        arriving = []
    }

    private mutating func setOnline(_ isOnline: Bool) {
        ledger.setOnline(isOnline)
        model.setOnline(isOnline)
        last = [:]
    }

    private mutating func offer(_ limit: Int) {
        let offered = ledger.offer(limit, now: .now)
        let expected = model.offer(limit)
        if offered.ids != expected { difference = "offered \(offered.ids), not \(expected)" }
        for id in offered.ids {
            guard let record = model.records.first(where: { $0.id == id }) else { continue }
            if let before = last[record.topic], before > id { difference = "\(id) of \(record.topic) after \(before)" }
            last[record.topic] = id
        }
    }

    private mutating func compare() {
        func differ(_ what: String) { difference = difference ?? what }
        if ledger.count != model.records.count { differ("\(ledger.count) records, not \(model.records.count)") }
        if ledger.bytes != model.bytes { differ("\(ledger.bytes) bytes, not \(model.bytes)") }
        if ledger.evicted != model.evicted { differ("evicted \(ledger.evicted), not \(model.evicted)") }
        if ledger.expired != model.expired { differ("expired \(ledger.expired), not \(model.expired)") }
        let confirmable = model.records.count { $0.state == .acknowledged }
        if ledger.waitingForConsumer != confirmable { differ("\(ledger.waitingForConsumer) for the consumer") }
        if ledger.oldest != model.records.first?.position { differ("the oldest is \(ledger.oldest as Any)") }
        if ledger.oldestEntryAt != model.records.first?.enteredAt { differ("the oldest came otherwise") }
        for record in model.records {
            let entry = ledger.entry(record.id)
            if entry?.state != record.state { differ("\(record.id) is \(entry?.state as Any), not \(record.state)") }
            if entry?.isHistorical != record.isHistorical { differ("\(record.id) is historical or not") }
        }
    }
}
