import Evidence
import Matching

extension InteractionStore {
    /// Returns the days, since 1970, with readings that are too old or in the future.
    func readingDays(before limit: Int64, after tooLate: Int64?) throws -> [Int64] {
        try database.read { session in
            var days: Set<Int64> = []
            for table in StoreSchema.readingTables {
                // One day after the other, each found from the one before.
                var next = try session.first("SELECT min(id) FROM \(table)") { $0.optionalInteger(0) } ?? nil
                while let key = next {
                    let day = ReadingKey(rawValue: key).block.day
                    days.insert(day)
                    next =
                        try session.first(
                            "SELECT min(id) FROM \(table) WHERE id >= $1", [.integer(ReadingKey.first(ofDay: day + 1))]
                        ) { $0.optionalInteger(0) } ?? nil
                }
            }
            return days.filter { day in
                (day + 1) * Self.day <= limit || tooLate.map { day * Self.day > $0 } ?? false
            }.sorted()
        }
    }

    /// Deletes the readings of a day.
    ///
    /// - Returns: the number of deleted rows of vectors.
    func deleteReadings(ofDay day: Int64) throws -> Int {
        defer { partitions.forgetReadings(of: day) }
        return try database.write { session in
            try session.lockExclusively()
            try session.limitWaiting()
            let bounds: [SQLValue] = [
                .integer(ReadingKey.first(ofDay: day)), .integer(ReadingKey.first(ofDay: day + 1)),
            ]
            let rows = try session.count("SELECT count(*) FROM vectors WHERE id >= $1 AND id < $2", bounds)
            for table in StoreSchema.readingTables {
                switch session.dialect {
                case .sqlite: try session.execute("DELETE FROM \(table) WHERE id >= $1 AND id < $2", bounds)
                case .postgreSQL: try session.execute("DROP TABLE IF EXISTS \(table)_\(day)")
                }
            }
            return rows
        }
    }

    /// Deletes expired readings that were never settled, and expired doubts.
    func deleteUnsettledReadings(before limit: Int64, after tooLate: Int64?) throws -> Deletion {
        try database.write { session in
            try session.lockShared()
            try session.execute(
                "DELETE FROM reading WHERE block < $1", [.integer(ReadingBlock(containing: max(0, limit)).number)])
            if let tooLate {
                try session.execute(
                    "DELETE FROM reading WHERE block > $1", [.integer(ReadingBlock(containing: tooLate).number)])
            }
            try session.execute("DELETE FROM receiver_doubt WHERE until < $1", [.integer(limit)])
            return Deletion()
        }
    }

    /// Removes everything that receivers heard of a subject, and removes the subject from the company of others.
    ///
    /// - Returns: the number of minutes in which the subject was heard.
    func eraseReadings(of subject: Int64, _ session: any SQLSession) throws -> Int {
        var minutes = 0
        for row in try session.readingRows(of: subject, in: "vectors") {
            minutes += BlockVectors(packed: row.content)?.heardMinutes ?? 0
        }
        for block in try session.blocks(of: "company") {
            var changed: [[SQLValue]] = []
            try session.companies(in: block, with: subject) { key, company in
                var company = company
                company.remove(subject)
                changed.append([.integer(key), .blob(company.packed)])
            }
            try session.insert(StoreSchema.readingRowInsertion("company"), rows: changed) { _ in }
        }
        for table in ["vectors", "company"] {
            for row in try session.readingRows(of: subject, in: table) {
                try session.execute("DELETE FROM \(table) WHERE id = $1", [.integer(row.key.rawValue)])
            }
        }
        var unsettled: [[SQLValue]] = []
        try session.query("SELECT block, receiver, boot, sequence, content FROM reading") { row in
            guard var content = ReadingRow(packed: row.blob(4)),
                content.subjects.contains(where: { $0.number == subject })
            else { return }
            minutes += content.minuteNumbers.count
            content.subjects.removeAll { $0.number == subject }
            unsettled.append((0..<4).map { .integer(row.integer($0)) } + [.blob(content.packed)])
        }
        for row in unsettled {
            try session.execute(
                "UPDATE reading SET content = $5 WHERE block = $1 AND receiver = $2 AND boot = $3 AND sequence = $4",
                row)
        }
        return minutes
    }

    /// Returns the number of rows of readings that contain a subject, by table.
    func remainingReadings(of subject: Int64, _ session: any SQLSession) throws -> [String: Int] {
        var remaining: [String: Int] = [:]
        for table in ["vectors", "company"] {
            remaining[table] = try session.readingRows(of: subject, in: table).count
        }
        for block in try session.blocks(of: "company") {
            try session.companies(in: block, with: subject) { _, _ in remaining["company", default: 0] += 1 }
        }
        var unsettled = 0
        try session.query("SELECT content FROM reading") { row in
            guard let content = ReadingRow(packed: row.blob(0)) else { return }
            if content.subjects.contains(where: { $0.number == subject }) { unsettled += 1 }
        }
        remaining["reading"] = unsettled
        return remaining
    }
}

extension SQLSession {
    /// Reads the rows of others' company that contain a subject. All rows of the block are examined, without relying on
    /// the subject's own row.
    fileprivate func companies(
        in block: ReadingBlock, with subject: Int64, _ body: (Int64, BlockCompany) -> Void
    ) throws {
        try query("SELECT id, content FROM company WHERE id >= $1 AND id < $2", InteractionStore.bounds(block)) { row in
            guard let company = BlockCompany(packed: row.blob(1)), company[subject] != nil else { return }
            body(row.integer(0), company)
        }
    }

    /// Returns a subject's rows of all blocks.
    func readingRows(of subject: Int64, in table: String) throws -> [(key: ReadingKey, content: [UInt8])] {
        var found: [(key: ReadingKey, content: [UInt8])] = []
        let keys = try blocks(of: table).map { ReadingKey($0, subject).rawValue }
        try rows(table, keys) { found.append((ReadingKey(rawValue: $0.integer(0)), $0.blob(1))) }
        return found
    }

    /// Returns the blocks of which a table has rows, within bounds; each is found from the one before.
    func blocks(of table: String, within bounds: ClosedRange<Int64>? = nil) throws -> [ReadingBlock] {
        var blocks: [ReadingBlock] = []
        var next = bounds.map { ReadingKey.first(ReadingBlock(number: $0.lowerBound)) } ?? .min
        while let key = try first(
            "SELECT min(id) FROM \(table) WHERE id >= $1", [.integer(next)], { $0.optionalInteger(0) }) ?? nil
        {
            let block = ReadingKey(rawValue: key).block
            if let bounds, block.number > bounds.upperBound { break }
            blocks.append(block)
            guard block.number < ReadingKey.lastBlock else { break }
            next = ReadingKey.first(ReadingBlock(number: block.number + 1))
        }
        return blocks
    }

    /// Returns the blocks within bounds that have readings, settled or not.
    func blocksOfReadings(_ bounds: ClosedRange<Int64>) throws -> [ReadingBlock] {
        var blocks = Set(try blocks(of: "listening", within: bounds))
        try query(
            "SELECT DISTINCT block FROM reading WHERE block >= $1 AND block <= $2",
            [.integer(bounds.lowerBound), .integer(bounds.upperBound)]
        ) { blocks.insert(ReadingBlock(number: $0.integer(0))) }
        return blocks.sorted()
    }
}
