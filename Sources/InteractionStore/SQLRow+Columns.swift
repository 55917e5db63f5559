import CPostgreSQL
import CSQLite
import Glibc

extension SQLRow {
    /// Returns an integer column; 0 for a null.
    func integer(_ column: Int32) -> Int64 {
        switch source {
        case .sqlite(let statement): sqlite3_column_int64(statement, column)
        case .postgreSQL(let result, let row): Self.integer(result, row, column) ?? 0
        }
    }

    /// Returns an integer column of a PostgreSQL result.
    ///
    /// - Returns: `nil` for a null.
    private static func integer(_ result: OpaquePointer, _ row: Int32, _ column: Int32) -> Int64? {
        guard PQgetisnull(result, row, column) == 0, let value = PQgetvalue(result, row, column) else { return nil }
        if PQfformat(result, column) == 0 { return strtoll(value, nil, 10) }
        // A number of the type bigint, most significant byte first.
        guard PQgetlength(result, row, column) == 8 else { return nil }
        return Int64(bigEndian: UnsafeRawPointer(value).loadUnaligned(as: Int64.self))
    }

    func optionalInteger(_ column: Int32) -> Int64? {
        switch source {
        case .sqlite(let statement):
            sqlite3_column_type(statement, column) == SQLITE_NULL ? nil : sqlite3_column_int64(statement, column)
        case .postgreSQL(let result, let row):
            Self.integer(result, row, column)
        }
    }

    /// Returns a day since 1970; `nil` for an impossible value, whichever program wrote it.
    func day(_ column: Int32) -> Int64? {
        optionalInteger(column).flatMap { (0...3_000_000).contains($0) ? $0 : nil }
    }

    func text(_ column: Int32) -> String? {
        switch source {
        case .sqlite(let statement):
            sqlite3_column_text(statement, column).map { String(cString: $0) }
        case .postgreSQL(let result, let row):
            PQgetisnull(result, row, column) == 1 ? nil : PQgetvalue(result, row, column).map { String(cString: $0) }
        }
    }

    /// Returns a column of bytes; empty for a null.
    func blob(_ column: Int32) -> [UInt8] {
        switch source {
        case .sqlite(let statement):
            guard let bytes = sqlite3_column_blob(statement, column) else { return [] }
            return Array(UnsafeRawBufferPointer(start: bytes, count: Int(sqlite3_column_bytes(statement, column))))
        case .postgreSQL(let result, let row):
            guard PQgetisnull(result, row, column) == 0, let value = PQgetvalue(result, row, column) else { return [] }
            let bytes = UnsafeRawBufferPointer(start: value, count: Int(PQgetlength(result, row, column)))
            return PQfformat(result, column) == 0 ? PostgreSQLBytes.bytes(bytes) : Array(bytes)
        }
    }
}
