import Backups
import GRDB
import Glibc

/// A database of SQLite in one file, which no other process uses.
enum SQLiteCopy {
    /// Gives the file a rollback journal, so that it needs no other file, and checks it.
    ///
    /// - Parameter isSealed: whether the file has a manifest at its end, and must not be written.
    /// - Returns: the number of rows of each table.
    /// - Throws: `StoreError`; `BackupFault` for a damaged database.
    static func check(_ path: String, isSealed: Bool) throws -> [String: Int] {
        var configuration = Configuration()
        configuration.readonly = isSealed
        configuration.foreignKeysEnabled = false
        do {
            let queue = try DatabaseQueue(path: path, configuration: configuration)
            return try queue.inDatabase { database in
                if !isSealed { try database.execute(sql: "PRAGMA journal_mode = DELETE") }
                let check = try String.fetchOne(database, sql: "PRAGMA integrity_check(1)") ?? "no answer"
                guard check == "ok" else { throw BackupFault.damagedCopy(check) }
                return try StoreTables.counts(SQLiteSession(database: database))
            }
        } catch let error as DatabaseError {
            switch error.resultCode {
            case .SQLITE_CORRUPT, .SQLITE_NOTADB:
                throw BackupFault.damagedCopy(error.message ?? "SQLite cannot read it")
            default: throw SQLiteDatabase.storeError(error, path)
            }
        }
    }

    /// Runs `body` in a transaction of the file, which is on disk afterwards.
    static func write(_ path: String, _ body: (any SQLSession) throws -> Void) throws {
        do {
            let queue = try DatabaseQueue(path: path)
            try queue.writeWithoutTransaction { database in
                try database.execute(sql: "PRAGMA synchronous = FULL")
                try database.inTransaction(.immediate) {
                    try body(SQLiteSession(database: database))
                    return .commit
                }
            }
            try queue.close()
        } catch let error as DatabaseError {
            throw SQLiteDatabase.storeError(error, path)
        }
    }

    /// Removes a file, and the files that SQLite has beside it.
    static func remove(_ path: String) { for suffix in ["", "-journal", "-wal", "-shm"] { unlink(path + suffix) } }
}

extension SQLiteDatabase {
    /// Copies one state of the database to a file. Other connections can write meanwhile; the write-ahead log grows.
    ///
    /// - Returns: the version of the tables, and the number of rows of each table.
    func copy(to path: String, _ report: (BackupProgress) -> Void) throws -> (version: Int64, counts: [String: Int]) {
        try withConnection { source in
            var found: (version: Int64, counts: [String: Int]) = (0, [:])
            // The transaction keeps the state between the steps.
            try source.inTransaction(.deferred) {
                let session = SQLiteSession(database: source)
                guard let version = try StoreUpgrade.version(session) else {
                    throw StoreError.noStore(.sqlite(self.path))
                }
                found = (version, try StoreTables.counts(session))
                var configuration = Configuration()
                configuration.foreignKeysEnabled = false
                let copy = try DatabaseQueue(path: path, configuration: configuration)
                try copy.writeWithoutTransaction { target in
                    // The file is written to disk once it is complete.
                    try target.execute(sql: "PRAGMA synchronous = OFF; PRAGMA journal_mode = MEMORY")
                    try withoutActuallyEscaping(report) { report in
                        try source.backup(to: target, pagesPerStep: 1024) { progress in
                            report(.pages(progress.completedPageCount, of: progress.totalPageCount))
                        }
                    }
                }
                try copy.close()
                return .commit
            }
            return found
        }
    }

    /// Size of the database in bytes, without the write-ahead log.
    func size() throws -> Int {
        try read { session in try session.count("PRAGMA page_count") * session.count("PRAGMA page_size") }
    }

    /// Moves the write-ahead log into the database, which is one file then.
    ///
    /// - Returns: `false` while another connection uses the database.
    func consolidate() throws -> Bool {
        try withConnection { database in
            do {
                return try String.fetchOne(database, sql: "PRAGMA journal_mode = DELETE") == "delete"
            } catch let error as DatabaseError where error.resultCode == .SQLITE_BUSY {
                return false
            }
        }
    }
}
