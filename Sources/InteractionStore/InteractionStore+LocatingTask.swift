import Evidence
package import Matching

extension InteractionStore {
    /// A block of a building whose stays are to be located.
    package struct LocatingTask: Equatable, Sendable {
        package var block: ReadingBlock
        /// Number of times that readings of the block have come late.
        package var revision: Int64
    }

    /// Returns the next block of a building to locate stays in.
    ///
    /// That is the first one with settled readings that is not located yet, has ended, and waits for no readings, or one
    /// that was located before readings of it came late. Readings that wait for more than an hour are not waited for.
    ///
    /// - Parameters:
    ///   - building: `site/building`.
    ///   - earliest: start of the first block if none is located, in seconds since 1970.
    ///   - time: the block must have ended by then.
    ///   - prefersLate: whether blocks of late readings come first.
    /// - Returns: `nil` when everything is located.
    /// - Throws: `StoreError`.
    package func nextBlock(
        toLocateIn building: String, from earliest: Int64, before time: Int64, prefersLate: Bool = false
    ) throws -> LocatingTask? {
        try database.read { session in
            let late = try session.first(
                "SELECT block, revision FROM relocation WHERE building = $1 ORDER BY block LIMIT 1", [.text(building)]
            ) { LocatingTask(block: ReadingBlock(number: $0.integer(0)), revision: $0.integer(1)) }
            if prefersLate, let late { return late }
            return try session.newBlock(in: building, from: earliest, before: time) ?? late
        }
    }

    /// Time for which unsettled readings of a block are waited for, in seconds.
    fileprivate static let longestWait: Int64 = 3600
}

extension SQLSession {
    /// Returns the first block of a building that is not located yet, has ended, and waits for no readings.
    fileprivate func newBlock(
        in building: String, from earliest: Int64, before time: Int64
    ) throws -> InteractionStore.LocatingTask? {
        let until = try first("SELECT until FROM located_until WHERE building = $1", [.text(building)]) {
            $0.integer(0)
        }
        let start = ReadingBlock(containing: max(earliest, until ?? earliest))
        let found =
            try first(
                "SELECT min(id) FROM vectors WHERE id >= $1", [.integer(ReadingKey.first(start))]
            ) { $0.optionalInteger(0) } ?? nil
        guard let block = found.map({ ReadingKey(rawValue: $0).block }), block.end <= time else { return nil }
        let revision = try first(
            "SELECT revision FROM relocation WHERE building = $1 AND block = $2",
            [.text(building), .integer(block.number)]
        ) { $0.integer(0) }
        let task = InteractionStore.LocatingTask(block: block, revision: revision ?? 0)
        if block.end <= time - InteractionStore.longestWait { return task }
        let isWaiting = try first("SELECT 1 FROM reading WHERE block = $1 LIMIT 1", [.integer(block.number)]) { _ in
            true
        }
        return isWaiting == true ? nil : task
    }

    /// Has a building's stays of a block located anew, unless they will be located anyway.
    func relocate(_ building: String, from block: ReadingBlock) throws {
        try execute(
            "INSERT INTO relocation (building, block, revision) SELECT building, CAST($2 AS BIGINT), 1 "
                + "FROM located_until WHERE building = $1 AND until >= $3 "
                + "ON CONFLICT (building, block) DO UPDATE SET revision = relocation.revision + 1",
            [.text(building), .integer(block.number), .integer(block.start)])
    }
}
