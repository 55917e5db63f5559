extension InteractionStore {
    /// Gives waiting entries of the list of positives their slots: of each report in turn, in the order in which they came.
    ///
    /// - Parameters:
    ///   - slots: of one scheme; those that are taken stay taken.
    ///   - admits: whether a slot may have a value.
    /// - Throws: `StoreError`.
    public func publish(
        scheme: String, slots: Range<Int64>, _ admits: (_ slot: Int64, _ value: String) -> Bool = { _, _ in true }
    ) throws {
        let isAnyoneWaiting = try database.read { session in
            try session.first(
                "SELECT 1 FROM positive WHERE scheme = $1 AND slot IS NULL LIMIT 1", [.text(scheme)]
            ) { _ in true }
        }
        guard isAnyoneWaiting ?? false else { return }
        try database.write { session in
            // Two that publish at once would give a slot twice.
            try session.lockExclusively()
            var taken: Set<Int64> = []
            try session.query(
                "SELECT slot FROM positive WHERE scheme = $1 AND slot >= $2 AND slot < $3",
                [.text(scheme), .integer(slots.lowerBound), .integer(slots.upperBound)]
            ) { taken.insert($0.integer(0)) }
            var free = slots.filter { !taken.contains($0) }
            guard !free.isEmpty else { return }
            var waiting: [(id: Int64, value: String)] = []
            try session.query(
                "SELECT id, value FROM (SELECT id, value, row_number() OVER (PARTITION BY report ORDER BY id) AS turn "
                    + "FROM positive WHERE scheme = $1 AND slot IS NULL) AS waiting ORDER BY turn, id LIMIT 1000",
                [.text(scheme)]
            ) { waiting.append(($0.integer(0), $0.text(1) ?? "")) }
            for (id, value) in waiting {
                guard let index = free.firstIndex(where: { admits($0, value) }) else { continue }
                let slot = free.remove(at: index)
                try session.execute("UPDATE positive SET slot = $1 WHERE id = $2", [.integer(slot), .integer(id)])
                if free.isEmpty { break }
            }
        }
    }

    /// Published entries of a scheme, by slot.
    ///
    /// - Throws: `StoreError`.
    public func published(scheme: String, slots: Range<Int64>) throws -> [Int64: String] {
        try database.read { session in
            var values: [Int64: String] = [:]
            try session.query(
                "SELECT slot, value FROM positive WHERE scheme = $1 AND slot >= $2 AND slot < $3",
                [.text(scheme), .integer(slots.lowerBound), .integer(slots.upperBound)]
            ) { values[$0.integer(0)] = $0.text(1) }
            return values
        }
    }
}
