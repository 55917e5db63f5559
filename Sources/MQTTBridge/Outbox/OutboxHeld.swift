/// Rows that aren't on disk yet.
struct OutboxHeld: Sendable {
    private var rows = OutboxSlots<OutboxRow>()
    /// Of payloads and topics, and what a record is counted with beside them.
    private(set) var bytes = 0

    var isEmpty: Bool { rows.isEmpty }
    var count: Int { rows.count }

    subscript(id: Int64) -> OutboxRow? { rows[id] }

    mutating func insert(_ row: OutboxRow) {
        bytes += row.cost - (rows.insert(row.id, row)?.cost ?? 0)
    }

    /// - Returns: whether it was there.
    @discardableResult
    mutating func remove(_ id: Int64) -> Bool {
        guard let row = rows.remove(id) else { return false }
        bytes -= row.cost
        return true
    }

    /// The one to give up first: the oldest of the lowest priority.
    ///
    /// - Parameter isOnItsWay: such a one isn't given up.
    func leastWorth(_ isOnItsWay: (Int64) -> Bool) -> Int64? {
        var least: OutboxRow?
        for row in rows.values where !isOnItsWay(row.id) && least.map({ row.priority < $0.priority }) ?? true {
            least = row
            if row.priority == .updated { break }
        }
        return least?.id
    }

    /// Takes the oldest out.
    ///
    /// - Returns: in their order.
    mutating func take(_ limit: Int) -> [OutboxRow] {
        var taken: [OutboxRow] = []
        taken.reserveCapacity(min(limit, count))
        while taken.count < limit, let row = rows.popFirst()?.value {
            bytes -= row.cost
            taken.append(row)
        }
        return taken
    }
}

extension OutboxRow {
    fileprivate var cost: Int { OutboxLedger.cost(topic: topic, payload: payload.count) }
}
