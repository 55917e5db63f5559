extension StoreSchema {
    /// Tables whose rows have a `ReadingKey`; in PostgreSQL, each has a partition per day.
    static let readingTables = ["listening", "vectors", "company"]

    /// Returns the statements for the tables of what gateways heard minute by minute.
    ///
    /// Records are `reading` rows until their block of 15 minutes is settled. Then there is a row of `vectors` for each
    /// subject, of `listening` for each receiver, and of `company` for each subject that could be compared with others.
    static func readings(_ dialect: SQLDialect) -> [String] {
        [
            "CREATE TABLE receiver (id \(dialect.identity), path TEXT NOT NULL UNIQUE, place BIGINT NOT NULL, "
                + "seen BIGINT NOT NULL)",
            """
            CREATE TABLE reading (block BIGINT NOT NULL, receiver BIGINT NOT NULL, boot BIGINT NOT NULL, \
            sequence BIGINT NOT NULL, content \(dialect.blob) NOT NULL, \
            PRIMARY KEY (block, receiver, boot, sequence))
            """,
            // Receivers that were not believed, and clocks that are off, as the latest blocks showed; `since` and
            // `until` are seconds since 1970.
            """
            CREATE TABLE receiver_doubt (receiver BIGINT NOT NULL, kind TEXT NOT NULL, since BIGINT NOT NULL, \
            until BIGINT NOT NULL, amount BIGINT NOT NULL, PRIMARY KEY (receiver, kind))
            """,
        ]
            + readingTables.map { table in
                let options = dialect == .postgreSQL ? " PARTITION BY RANGE (id)" : ""
                let key = dialect == .postgreSQL ? "BIGINT PRIMARY KEY" : "INTEGER PRIMARY KEY"
                return "CREATE TABLE \(table) (id \(key), content \(dialect.blob) NOT NULL)\(options)"
            }
    }

    static let receiverInsertion = SQLInsertion(
        table: "receiver", columns: ["path", "place", "seen"],
        conflict: "ON CONFLICT (path) DO UPDATE SET place = excluded.place, seen = excluded.seen RETURNING id, path")

    static let readingInsertion = SQLInsertion(
        table: "reading", columns: ["block", "receiver", "boot", "sequence", "content"],
        conflict: "ON CONFLICT (block, receiver, boot, sequence) DO NOTHING RETURNING receiver, boot, sequence")

    static func readingRowInsertion(_ table: String) -> SQLInsertion {
        SQLInsertion(
            table: table, columns: ["id", "content"],
            conflict: "ON CONFLICT (id) DO UPDATE SET content = excluded.content")
    }
}
