extension InteractionStore {
    /// Reads what the store has of the candidates' interactions, and decides which of them are stored.
    func selection(
        _ candidates: [RecordSelection.Candidate], _ session: any SQLSession
    ) throws -> RecordSelection {
        guard !candidates.isEmpty else { return RecordSelection([], existing: [:], starts: [:]) }
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
        var starts: [RecordSelection.Interaction: Set<Int64>] = [:]
        if !new.isEmpty {
            // No interaction lasts longer than a day.
            let condition =
                switch session.dialect {
                case .sqlite:
                    "i.started / 86400 IN (k.started / 86400 - 1, k.started / 86400, k.started / 86400 + 1)"
                case .postgreSQL:
                    "i.started BETWEEN k.started - CAST(86400 AS BIGINT) AND k.started + CAST(86400 AS BIGINT)"
                }
            try session.query(
                Self.probe(
                    "i.origin, i.number, i.subject, i.started", new,
                    where: "i.subject = k.subject AND \(condition) AND i.origin = k.origin AND i.number = k.number",
                    session.dialect),
                [], keepsStatement: false
            ) { row in
                let interaction = RecordSelection.Interaction(
                    origin: row.integer(0), number: row.integer(1), subject: row.integer(2))
                starts[interaction, default: []].insert(row.integer(3))
            }
        }
        return RecordSelection(candidates, existing: existing, starts: starts)
    }

    /// Records that contradict each other may give one key to several subjects.
    private struct SubjectKey: Hashable {
        var key: RowKey
        var subject: Int64
    }

    /// Rows that are found for keys, each by an index: PostgreSQL would else read a small table whole for each batch.
    private static func probe(
        _ columns: String, _ keys: Set<SubjectKey>, where condition: String, _ dialect: SQLDialect
    ) -> String {
        let values = keys.map { one in
            "(\(one.key.place), \(one.key.started), \(one.key.origin), \(one.key.number), \(one.subject))"
        }.joined(separator: ", ")
        let rows =
            switch dialect {
            case .sqlite: "interaction i WHERE \(condition)"
            // The limit keeps the subquery: of one interaction there is one row, or a few of an earlier version.
            case .postgreSQL: "LATERAL (SELECT * FROM interaction i WHERE \(condition) LIMIT 16) i"
            }
        return "WITH k (place, started, origin, number, subject) AS (VALUES \(values)) "
            + "SELECT \(columns) FROM k CROSS JOIN \(rows)"
    }
}
