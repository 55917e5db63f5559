import BeaconModel
import CSQLite
import SystemIO

/// SQLite as others use it.
enum RawSQLite {
    static func execute(_ sql: String, _ path: String) throws {
        var database: OpaquePointer?
        defer { sqlite3_close(database) }
        guard sqlite3_open(path, &database) == SQLITE_OK, sqlite3_exec(database, sql, nil, nil, nil) == SQLITE_OK else {
            throw SystemError("execute \(sql)", errorNumber: 22)
        }
    }
}
