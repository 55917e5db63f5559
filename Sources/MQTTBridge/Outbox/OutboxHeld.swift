import HeapModule

/// Rows that aren't on disk yet.
struct OutboxHeld: Sendable {
    private var rows: [Int64: OutboxRow] = [:]
    /// By priority; what has left `rows` is still in it.
    private var queues: [Heap<Int64>] = [[], [], []]
    /// Of payloads and topics, and what a record is counted with beside them.
    private(set) var bytes = 0

    var isEmpty: Bool { rows.isEmpty }
    var count: Int { rows.count }

    subscript(id: Int64) -> OutboxRow? { rows[id] }

    mutating func insert(_ row: OutboxRow) {
        guard rows.updateValue(row, forKey: row.id) == nil else { return }
        bytes += row.cost
        queues[Int(row.priority.rawValue)].insert(row.id)
    }

    /// - Returns: whether it was there.
    @discardableResult
    mutating func remove(_ id: Int64) -> Bool {
        guard let row = rows.removeValue(forKey: id) else { return false }
        bytes -= row.cost
        let queue = Int(row.priority.rawValue)
        if queues[queue].count > 2 * rows.count + 64 {
            queues[queue] = Heap(queues[queue].unordered.filter { rows[$0] != nil })
        }
        return true
    }

    /// The one to give up first: the oldest of the lowest priority.
    ///
    /// - Parameter isOnItsWay: such a one isn't given up.
    mutating func leastWorth(_ isOnItsWay: (Int64) -> Bool) -> Int64? {
        for queue in queues.indices {
            var passed: [Int64] = []
            defer { queues[queue].insert(contentsOf: passed) }
            while let id = queues[queue].min {
                if rows[id] != nil {
                    if !isOnItsWay(id) { return id }
                    passed.append(id)
                }
                queues[queue].removeMin()
            }
        }
        return nil
    }

    /// Takes the oldest out.
    ///
    /// - Returns: in their order.
    mutating func take(_ limit: Int) -> [OutboxRow] {
        guard limit < rows.count else {
            let all = rows.values.sorted { $0.id < $1.id }
            self = OutboxHeld()
            return all
        }
        var taken: [OutboxRow] = []
        while taken.count < limit, let row = takeOldest() { taken.append(row) }
        return taken
    }

    private mutating func takeOldest() -> OutboxRow? {
        for queue in queues.indices { while let id = queues[queue].min, rows[id] == nil { queues[queue].removeMin() } }
        guard let id = queues.compactMap(\.min).min(), let row = rows[id] else { return nil }
        queues[Int(row.priority.rawValue)].removeMin()
        remove(id)
        return row
    }
}

extension OutboxRow {
    fileprivate var cost: Int { OutboxLedger.cost(topic: topic, payload: payload.count) }
}
