import CSQLite
import GRDB
import Publishing
import RecordContract

/// Insertion of rows with a statement whose arguments are bound without GRDB. GRDB boxes and copies each value, which
/// costs a quarter of the total for a row.
struct OutboxInsertion {
    private let statement: Statement

    init(_ database: Database, columns: String) throws {
        statement = try database.cachedStatement(
            sql: "INSERT OR REPLACE INTO record (\(columns)) VALUES (?, ?, ?, ?, ?, ?, ?, ?)")
        // GRDB treats the arguments that are bound later as the ones set here.
        statement.setUncheckedArguments(StatementArguments())
    }

    /// Inserts or replaces a row.
    ///
    /// - Throws: `DatabaseError`.
    func insert(_ row: OutboxRow) throws {
        var topic = row.topic
        try topic.withUTF8 { topic in
            try row.payload.withUnsafeBytes { payload in
                bind(row, topic: topic, payload: payload)
                // The bound values are not copied; they live until this closure returns.
                defer { sqlite3_clear_bindings(statement.sqliteStatement) }
                try statement.execute()
            }
        }
    }

    private func bind(_ row: OutboxRow, topic: UnsafeBufferPointer<UInt8>, payload: UnsafeRawBufferPointer) {
        let statement = statement.sqliteStatement
        sqlite3_reset(statement)
        sqlite3_bind_int64(statement, 1, row.id)
        topic.withMemoryRebound(to: CChar.self) { topic in
            _ = sqlite3_bind_text(statement, 2, topic.baseAddress, Int32(clamping: topic.count), nil)
        }
        sqlite3_bind_int64(statement, 3, Int64(row.priority.stored))
        sqlite3_bind_int64(statement, 4, Int64(bitPattern: row.position.boot))
        sqlite3_bind_int64(statement, 5, Int64(bitPattern: row.position.sequence))
        sqlite3_bind_int64(statement, 6, row.enteredAt)
        sqlite3_bind_int64(statement, 7, row.checksum(of: payload))
        if payload.isEmpty {
            sqlite3_bind_zeroblob(statement, 8, 0)
        } else {
            sqlite3_bind_blob64(statement, 8, payload.baseAddress, UInt64(payload.count), nil)
        }
    }
}
