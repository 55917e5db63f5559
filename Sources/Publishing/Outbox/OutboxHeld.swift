package import RecordContract

/// Rows that aren't on disk yet.
package struct OutboxHeld: Sendable {
    private var rows = OutboxSlots<OutboxRow>()
    /// Of payloads and topics, and what a record is counted with beside them.
    package private(set) var bytes = 0

    package init(bytes: Int = 0) {
        self.bytes = bytes
    }

    package var isEmpty: Bool { rows.isEmpty }
    package var count: Int { rows.count }
    package var positions: some Sequence<RecordPosition> { rows.values.lazy.map(\.position) }

    package subscript(id: Int64) -> OutboxRow? { rows[id] }

    package mutating func insert(_ row: OutboxRow) {
        bytes += row.cost - (rows.insert(row.id, row)?.cost ?? 0)
    }

    /// - Returns: whether it was there.
    @discardableResult
    package mutating func remove(_ id: Int64) -> Bool {
        guard let row = rows.remove(id) else { return false }
        bytes -= row.cost
        return true
    }

    /// Gives up the oldest of the lowest priority until no more than `capacity` bytes are held.
    ///
    /// - Parameter isOnItsWay: such a one isn't given up.
    /// - Returns: those that were.
    package mutating func giveUp(to capacity: Int, unless isOnItsWay: (Int64) -> Bool) -> [Int64] {
        guard bytes > capacity else { return [] }
        var givenUp: [Int64] = []
        for priority in OutboxPriority.allCases {
            for id in rows.values.filter({ $0.priority == priority && !isOnItsWay($0.id) }).map(\.id) {
                guard bytes > capacity else { return givenUp }
                remove(id)
                givenUp.append(id)
            }
        }
        return givenUp
    }

    /// Takes the oldest out.
    ///
    /// - Returns: in their order.
    package mutating func take(_ limit: Int) -> [OutboxRow] {
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
