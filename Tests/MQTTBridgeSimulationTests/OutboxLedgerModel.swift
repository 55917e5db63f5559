import BeaconModel

@testable import Publishing
@testable import RecordContract

/// What `OutboxLedger` has to do, as plainly as it can be said: everything is searched through each time.
///
/// The pace is left out.
struct OutboxLedgerModel {
    struct Record {
        var id: Int64
        var topic: String
        var cost: Int
        var priority: OutboxPriority
        var position: RecordPosition
        var enteredAt: Int64
        var state: OutboxLedger.State
        var isHistorical = false
        var acknowledgedAt: Int64 = 0
    }

    let rules: OutboxRules
    var isOnline = false
    var records: [Record] = []
    /// In the order in which they were released.
    var live: [Int64] = []
    var urgent: [String] = []
    var evicted: [OutboxPriority: UInt64] = [:]
    var expired: UInt64 = 0

    var bytes: Int { records.map(\.cost).reduce(0, +) }

    mutating func append(_ record: Record) {
        guard record.cost <= rules.bytes else {
            evicted[record.priority, default: 0] += 1
            return
        }
        records.append(record)
        while bytes > rules.bytes {
            let least = records.filter { $0.state != .offered }.min { ($0.priority, $0.id) < ($1.priority, $1.id) }
            let onTheirWay = records.filter { $0.state == .offered && (least == nil || $0.priority < record.priority) }
                .min { ($0.priority, $0.id) < ($1.priority, $1.id) }
            guard let victim = least.map({ $0.id == record.id ? onTheirWay ?? $0 : $0 }) ?? onTheirWay else { return }
            evicted[victim.priority, default: 0] += 1
            remove { $0.id == victim.id }
        }
    }

    mutating func release(_ id: Int64) {
        guard let index = records.firstIndex(where: { $0.id == id && $0.state == .arriving }) else { return }
        let topic = records[index].topic
        if isOnline, !records.contains(where: { $0.topic == topic && $0.state == .historical }) {
            records[index].state = .live
            live.append(id)
        } else {
            records[index].state = .historical
            records[index].isHistorical = true
            if isOnline { hurry(topic) }
        }
    }

    mutating func setOnline(_ isOnline: Bool) {
        self.isOnline = isOnline
        guard !isOnline else { return }
        change {
            [.offered, .live].contains($0.state)
        } to: {
            $0.state = .historical
        }
        live = []
        urgent = []
    }

    mutating func offer(_ limit: Int) -> [Int64] {
        guard isOnline else { return [] }
        var offered: [Int64] = []
        while offered.count < limit, let id = live.first {
            live.removeFirst()
            offered.append(id)
            change {
                $0.id == id
            } to: {
                $0.state = .offered
            }
        }
        while offered.count < limit {
            let waiting = records.filter { $0.state == .historical }
            guard !waiting.isEmpty else { break }
            while let topic = urgent.first, !waiting.contains(where: { $0.topic == topic }) { urgent.removeFirst() }
            let oldest: Record?
            if let topic = urgent.first {
                urgent.append(urgent.removeFirst())
                oldest = waiting.first { $0.topic == topic }
            } else {
                oldest = waiting.first
            }
            guard let oldest else { break }
            offered.append(oldest.id)
            change {
                $0.id == oldest.id
            } to: {
                $0.state = .offered
            }
        }
        if !records.contains(where: { $0.state == .historical }) { urgent = [] }
        return offered
    }

    mutating func withdraw(_ ids: [Int64]) {
        waitAgain(records.filter { ids.contains($0.id) && $0.state == .offered })
    }

    mutating func acknowledge(_ ids: [Int64], at now: Int64) {
        if rules.confirmation == .broker {
            remove { ids.contains($0.id) && $0.state == .offered }
        } else {
            change {
                ids.contains($0.id) && $0.state == .offered
            } to: {
                $0.state = .acknowledged
                $0.acknowledgedAt = now / 1_000_000
            }
        }
    }

    mutating func drop(_ id: Int64) { remove { $0.id == id } }

    mutating func expire(at now: Int64) {
        let limit = now - rules.age.clampedMicroseconds
        let before = records.count
        remove { $0.enteredAt < limit && ![.offered, .arriving].contains($0.state) }
        expired += UInt64(before - records.count)
    }

    mutating func stored(through position: RecordPosition) {
        guard rules.confirmation == .consumer else { return }
        remove { $0.position <= position && $0.state != .arriving }
    }

    mutating func reoffer(at now: Int64) {
        let limit = (now - rules.confirmTimeout.clampedMicroseconds) / 1_000_000
        let again = records.filter { $0.state == .acknowledged && $0.acknowledgedAt < limit }
        waitAgain(again)
    }

    private mutating func waitAgain(_ again: [Record]) {
        change { record in
            again.contains { $0.id == record.id }
        } to: {
            $0.state = .historical
        }
        for topic in Set(again.map(\.topic)).sorted() {
            let present = records.filter { $0.topic == topic && $0.state == .live }.map(\.id)
            guard !present.isEmpty else { continue }
            change {
                present.contains($0.id)
            } to: {
                $0.state = .historical
            }
            live.removeAll { present.contains($0) }
            hurry(topic)
        }
    }

    private mutating func hurry(_ topic: String) { if !urgent.contains(topic) { urgent.append(topic) } }

    private mutating func change(_ isMeant: (Record) -> Bool, to change: (inout Record) -> Void) {
        for index in records.indices where isMeant(records[index]) {
            change(&records[index])
            if records[index].state == .historical { records[index].isHistorical = true }
        }
    }

    private mutating func remove(_ isMeant: (Record) -> Bool) {
        live.removeAll { id in records.contains { $0.id == id && isMeant($0) } }
        records.removeAll(where: isMeant)
    }
}
