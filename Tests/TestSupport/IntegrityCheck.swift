import BeaconModel
import CSQLite
import Glibc
import SystemIO

/// SQLite's own judgement of a database that nobody has open.
package enum IntegrityCheck {
    /// Looks at a copy, because opening it would repair it.
    ///
    /// - Returns: what is damaged; `nil` for a sound one.
    package static func damage(of path: String, in directory: String) throws -> String? {
        let copy = directory + "/copy.db"
        for suffix in ["", "-wal"] {
            unlink(copy + suffix)
            guard access(path + suffix, F_OK) == 0 else { continue }
            // Without waiting for the disk: the copy needn't outlive anything.
            let contents = try FileContents.read(path + suffix, limit: 1_000_000_000)
            let descriptor = open(copy + suffix, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
            defer { close(descriptor) }
            guard write(descriptor, contents, contents.count) == contents.count else {
                throw SystemError("copy \(path)", errorNumber: errno)
            }
        }
        unlink(copy + "-shm")
        var database: OpaquePointer?
        defer { sqlite3_close(database) }
        guard sqlite3_open(copy, &database) == SQLITE_OK else { return "can't be opened" }
        var statement: OpaquePointer?
        defer { sqlite3_finalize(statement) }
        guard sqlite3_prepare_v2(database, "PRAGMA integrity_check", -1, &statement, nil) == SQLITE_OK,
            sqlite3_step(statement) == SQLITE_ROW, let text = sqlite3_column_text(statement, 0)
        else { return String(cString: sqlite3_errmsg(database)) }
        let verdict = String(cString: text)
        return verdict == "ok" ? nil : verdict
    }
}
