import CSQLite
import GRDB

/// Writes rows by SQLite's own functions: the arguments of a GRDB statement are boxed and copied, for a quarter of what
/// the whole row costs.
struct OutboxInsertion {
    private let connection: OpaquePointer?
    private let statement: OpaquePointer

    init(_ database: Database, columns: String) throws {
        connection = database.sqliteConnection
        statement = try database.cachedStatement(
            sql: "INSERT OR REPLACE INTO record (\(columns)) VALUES (?, ?, ?, ?, ?, ?, ?, ?)"
        ).sqliteStatement
    }

    /// - Throws: `DatabaseError`.
    func insert(_ row: OutboxRow) throws {
        var topic = row.topic
        let result = topic.withUTF8 { topic in
            row.payload.withUnsafeBytes { payload in insert(row, topic: topic, payload: payload) }
        }
        guard result == SQLITE_DONE else {
            throw DatabaseError(
                resultCode: ResultCode(rawValue: result),
                message: sqlite3_errmsg(connection).map { String(cString: $0) })
        }
    }

    /// Nothing is copied: what is bound lives until this returns.
    private func insert(
        _ row: OutboxRow, topic: UnsafeBufferPointer<UInt8>, payload: UnsafeRawBufferPointer
    ) -> Int32 {
        sqlite3_bind_int64(statement, 1, row.id)
        topic.withMemoryRebound(to: CChar.self) { topic in
            _ = sqlite3_bind_text(statement, 2, topic.baseAddress, Int32(clamping: topic.count), nil)
        }
        sqlite3_bind_int64(statement, 3, Int64(row.priority.rawValue))
        sqlite3_bind_int64(statement, 4, Int64(bitPattern: row.position.boot))
        sqlite3_bind_int64(statement, 5, Int64(bitPattern: row.position.sequence))
        sqlite3_bind_int64(statement, 6, row.enteredAt)
        sqlite3_bind_int64(statement, 7, row.checksum(of: payload))
        if payload.isEmpty {
            sqlite3_bind_zeroblob(statement, 8, 0)
        } else {
            sqlite3_bind_blob64(statement, 8, payload.baseAddress, UInt64(payload.count), nil)
        }
        let result = sqlite3_step(statement)
        sqlite3_reset(statement)
        sqlite3_clear_bindings(statement)
        return result
    }
}
