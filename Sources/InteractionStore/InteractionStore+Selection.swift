import Evidence

extension InteractionStore {
    /// Reads the stored state of the candidates' interactions, and decides which candidates are stored.
    ///
    /// - Parameter memory: memory of the blocks of the candidates.
    func selection(
        _ candidates: [RecordSelection.Candidate], _ memory: PositionMemory, _ session: any SQLSession
    ) throws -> RecordSelection {
        guard !candidates.isEmpty else { return RecordSelection([], memory: memory) }
        let keys = Set(candidates.map { SubjectKey(key: $0.key, subject: $0.subject) })
        var existing: [RowKey: RecordSelection.StoredRow] = [:]
        let content = StoreSchema.contentColumns.map { "i.\($0)" }.joined(separator: ", ")
        try session.query(
            Self.probe(
                "i.place, i.started, i.origin, i.number, i.subject, i.boot, i.sequence, \(content)", keys,
                where: "i.place = k.place AND i.started = k.started AND i.origin = k.origin AND i.number = k.number",
                session.dialect),
            [], keepsStatement: false
        ) { row in
            let key = RowKey(
                place: row.integer(0), started: row.integer(1), origin: row.integer(2), number: row.integer(3))
            existing[key] = .init(
                subject: row.integer(4), boot: row.integer(5), sequence: row.integer(6),
                content: StoreSchema.contentColumns.indices.map { row.optionalInteger(7 + Int32($0)) })
        }
        let new = keys.filter { existing[$0.key] == nil }
        var identities: [RecordSelection.InteractionID: Set<RecordSelection.Identity>] = [:]
        if !new.isEmpty {
            // At any time: the start that a record states can be anything.
            try session.query(
                Self.probe(
                    "i.origin, i.number, i.subject, i.started", new,
                    where: "i.origin = k.origin AND i.number = k.number", session.dialect),
                [], keepsStatement: false
            ) { row in
                let id = RecordSelection.InteractionID(origin: row.integer(0), number: row.integer(1))
                identities[id, default: []].insert(.init(subject: row.integer(2), started: row.integer(3)))
            }
        }
        return RecordSelection(candidates, existing: existing, identities: identities, memory: memory)
    }

    /// Returns the candidates, without those that would begin a block for which there is no room. A record that only
    /// updates an interaction can begin a block as well.
    ///
    /// - Parameters:
    ///   - memory: memory of the blocks of the candidates.
    ///   - now: seconds since 1970.
    func remembered(
        _ candidates: [RecordSelection.Candidate], _ memory: inout PositionMemory, now: Int64, _ outcome: inout Outcome
    ) -> [RecordSelection.Candidate] {
        var remembered: [RecordSelection.Candidate] = []
        remembered.reserveCapacity(candidates.count)
        for candidate in candidates {
            let entry = candidate.record.entry
            if memory.isNew(entry) {
                let record = candidate.record
                guard takeRoom(IngestQuota.block, of: record.gateway, start: record.start, now: now) else {
                    outcome.refused[.overQuota, default: 0] += 1
                    continue
                }
                memory.begin(entry)
            }
            remembered.append(candidate)
        }
        return remembered
    }

    /// Reads the memory of the blocks that contain some records.
    func memory(of entries: [PositionMemory.Entry], _ session: any SQLSession) throws -> PositionMemory {
        var texts: [String: String] = [:]
        let names = Set(entries.map(\.block)).sorted()
        try session.find("block, digests", in: "taken", where: "block", is: names, isLocking: false) { row in
            if let name = row.text(0), let text = row.text(1) { texts[name] = text }
        }
        return PositionMemory(texts)
    }

    /// Writes the memory of received records. Called once in a transaction: two processes that write twice could
    /// deadlock.
    ///
    /// - Parameter today: days since 1970.
    func write(_ memory: PositionMemory, today: Int64, _ session: any SQLSession) throws {
        // The same order everywhere, so that two processes do not deadlock.
        let rows = memory.changed.sorted().map { name -> [SQLValue] in
            [.text(name), .text(memory.text(of: name)), .integer(today)]
        }
        // SQLite excludes other writers from the moment the memory is read.
        let insertion = session.dialect == .postgreSQL ? StoreSchema.takenMerge : StoreSchema.takenInsertion
        try session.insert(insertion, rows: rows) { _ in }
    }

    /// A row key with its subject: records that contradict each other can give one key to several subjects.
    private struct SubjectKey: Hashable {
        var key: RowKey
        var subject: Int64
    }

    /// Returns a query for rows by keys that looks up each key by an index. PostgreSQL would otherwise scan a small
    /// table completely for each batch.
    private static func probe(
        _ columns: String, _ keys: Set<SubjectKey>, where condition: String, _ dialect: SQLDialect
    ) -> String {
        let values = keys.map { one in
            "(\(one.key.place), \(one.key.started), \(one.key.origin), \(one.key.number), \(one.subject))"
        }.joined(separator: ", ")
        let rows =
            switch dialect {
            case .sqlite: "interaction i WHERE \(condition)"
            // The limit prevents the subquery from being flattened. An interaction has one row, or a few from an
            // earlier version.
            case .postgreSQL: "LATERAL (SELECT * FROM interaction i WHERE \(condition) LIMIT 16) i"
            }
        return "WITH k (place, started, origin, number, subject) AS (VALUES \(values)) "
            + "SELECT \(columns) FROM k CROSS JOIN \(rows)"
    }
}
