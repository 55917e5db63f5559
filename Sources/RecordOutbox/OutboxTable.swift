import BeaconModel
import FoundationEssentials
import GRDB
import Publishing
import RecordContract

/// The statements on the table of records.
enum OutboxTable {
    /// Creates the table if the database is new.
    ///
    /// - Throws: `OutboxError`; `DatabaseError` for a damaged database.
    static func prepare(_ database: Database, path: String) throws {
        switch try found(database, path: path) {
        case .new:
            try database.inTransaction(.immediate) {
                try database.execute(sql: OutboxSchema.table)
                try database.execute(sql: "PRAGMA user_version = \(OutboxSchema.version)")
                return .commit
            }
        case .current: break
        case .unversioned: try database.execute(sql: "PRAGMA user_version = \(OutboxSchema.version)")
        case .newer: break
        case .damaged: throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: "the table of records is missing")
        }
    }

    /// Returns what the database is.
    ///
    /// - Throws: `OutboxError` for a database of a newer program; `DatabaseError` for a damaged one.
    static func found(_ database: Database, path: String) throws -> OutboxSchema.Found {
        let version = try Int.fetchOne(database, sql: "PRAGMA user_version") ?? 0
        let tables = try String.fetchAll(database, sql: "SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL")
        let found = OutboxSchema.found(version: version, tables: tables)
        guard found == .newer else { return found }
        throw OutboxError(
            "the outbox \(path) has schema version \(version); this program supports up to \(OutboxSchema.version)",
            meaning: "it was written by a newer version; nothing was changed",
            remedy: "install that version, or move the file away; its records are not sent then",
            // The service manager must not start the program again and again.
            exitStatus: .configuration)
    }

    /// Returns a cursor over all rows in the order of their identifiers.
    static func rows(_ database: Database) throws -> RowCursor {
        try Row.fetchCursor(database, sql: "SELECT \(OutboxSchema.columns) FROM record ORDER BY id")
    }

    /// Returns a row if it matches what was written, otherwise `nil`.
    static func row(_ row: Row) throws -> OutboxRow? { try checked(row, copiesPayload: true)?.0 }

    /// Returns a row and the size of its payload if the row matches what was written, otherwise `nil`.
    static func checked(_ row: Row, copiesPayload: Bool) throws -> (OutboxRow, Int)? {
        guard let id = Int64.fromDatabaseValue(row[0]), let topic = String.fromDatabaseValue(row[1]),
            let priority = UInt8.fromDatabaseValue(row[2]).flatMap({ OutboxPriority(stored: $0, topic: topic) }),
            let boot = Int64.fromDatabaseValue(row[3]), let sequence = Int64.fromDatabaseValue(row[4]),
            let enteredAt = Int64.fromDatabaseValue(row[5]), let checksum = Int64.fromDatabaseValue(row[6])
        else { return nil }
        var result = OutboxRow(
            id: id, topic: topic, priority: priority,
            position: RecordPosition(boot: UInt64(bitPattern: boot), sequence: UInt64(bitPattern: sequence)),
            enteredAt: enteredAt, payload: [])
        guard result.isPossible else { return nil }
        return try row.withUnsafeData(atIndex: 7) { payload in
            guard let payload else { return nil }
            return payload.withUnsafeBytes { bytes in
                guard result.checksum(of: bytes) == checksum else { return nil }
                if copiesPayload { result.payload = Array(bytes) }
                return (result, bytes.count)
            }
        }
    }

    /// Reads the payloads of rows.
    ///
    /// - Returns: the payloads of the rows that exist and are undamaged.
    static func payloads(_ database: Database, of ids: [Int64]) throws -> [Int64: [UInt8]] {
        let statement = try database.cachedStatement(sql: "SELECT \(OutboxSchema.columns) FROM record WHERE id = ?")
        var payloads: [Int64: [UInt8]] = [:]
        for id in ids {
            guard let row = try Row.fetchOne(statement, arguments: [id]) else { continue }
            payloads[id] = try self.row(row)?.payload
        }
        return payloads
    }

    /// Deletes and inserts rows in one transaction.
    static func apply(_ database: Database, inserts: [OutboxRow], deletes: [Int64]) throws {
        try database.inTransaction(.immediate) {
            let delete = try database.cachedStatement(sql: "DELETE FROM record WHERE id BETWEEN ? AND ?")
            for run in OutboxRow.runs(deletes.sorted()) {
                try delete.execute(arguments: [run.lowerBound, run.upperBound])
            }
            let insertion = try OutboxInsertion(database, columns: OutboxSchema.columns)
            for row in inserts { try insertion.insert(row) }
            return .commit
        }
    }
}
