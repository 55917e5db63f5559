import DequeModule
import HeapModule
import RecordContract

extension OutboxLedger {
    /// Evicts the least valuable records until there is room: lowest priority first, oldest first within a priority. A
    /// record on its way to the broker is evicted only if no other record is worth less than the new one.
    package mutating func evict(for new: Int64) -> [Int64] {
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

    /// Evicts a record for lack of room elsewhere.
    package mutating func evict(_ id: Int64) {
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
        let onTheirWay = offered.compactMap { entry($0) }
            .filter { $0.state == .offered && (least == nil || $0.priority < priority) }
        return onTheirWay.min { ($0.priority, $0.id) < ($1.priority, $1.id) }?.id ?? least
    }
}
