package import RecordContract

/// Rows that are not on disk yet.
package struct OutboxHeld: Sendable {
    private var rows = OutboxSlots<OutboxRow>()
    /// Bytes that count towards the size limit: payload, topic and the overhead per record.
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

    /// Removes a row.
    ///
    /// - Returns: whether the row was present.
    @discardableResult
    package mutating func remove(_ id: Int64) -> Bool {
        guard let row = rows.remove(id) else { return false }
        bytes -= row.cost
        return true
    }

    /// Removes the oldest rows of the lowest priority until no more than `capacity` bytes are held.
    ///
    /// - Parameter isOnItsWay: whether a record is being sent to the broker; such a record is kept.
    /// - Returns: the identifiers of the removed rows.
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

    /// Removes the oldest rows.
    ///
    /// - Returns: the removed rows in their order.
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
