import CPostgreSQL
import CSQLite
import Glibc

extension SQLRow {
    /// An integer column; 0 for a null.
    func integer(_ column: Int32) -> Int64 {
        switch source {
        case .sqlite(let statement): sqlite3_column_int64(statement, column)
        case .postgreSQL(let result, let row): PQgetvalue(result, row, column).map { strtoll($0, nil, 10) } ?? 0
        }
    }

    func optionalInteger(_ column: Int32) -> Int64? {
        switch source {
        case .sqlite(let statement):
            sqlite3_column_type(statement, column) == SQLITE_NULL ? nil : sqlite3_column_int64(statement, column)
        case .postgreSQL(let result, let row):
            PQgetisnull(result, row, column) == 1
                ? nil : PQgetvalue(result, row, column).map { strtoll($0, nil, 10) }
        }
    }

    /// A day since 1970; `nil` for one that is none, whoever wrote it.
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

    /// Bytes; none for a null.
    func blob(_ column: Int32) -> [UInt8] {
        switch source {
        case .sqlite(let statement):
            guard let bytes = sqlite3_column_blob(statement, column) else { return [] }
            return Array(UnsafeRawBufferPointer(start: bytes, count: Int(sqlite3_column_bytes(statement, column))))
        case .postgreSQL(let result, let row):
            guard PQgetisnull(result, row, column) == 0, let text = PQgetvalue(result, row, column) else { return [] }
            return PostgreSQLBytes.bytes(
                UnsafeRawBufferPointer(start: text, count: Int(PQgetlength(result, row, column))))
        }
    }
}
