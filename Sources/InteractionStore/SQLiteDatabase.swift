import BeaconModel
import CSQLite
import GRDB
import Glibc
import SystemIO

/// An SQLite database in a file. A committed row survives the loss of power, and a deleted row is overwritten.
final class SQLiteDatabase: SQLDatabase {
    private let queue: DatabaseQueue
    let path: String
    /// Descriptors of the database's files, kept open until it is closed; see `prepare`.
    private var descriptors: [CInt] = []

    /// Size of the page cache, in kilobytes.
    private static let cache = 8000
    private static let answeringCache = 2000
    /// Pages in the write-ahead log at which a checkpoint starts. New rows are spread all over the database, so the
    /// more of them are moved at once, the fewer pages are written twice.
    private static let checkpointPages = 16_384
    /// Maximum time to wait for another process that locks the database, in seconds.
    private static let patience = 30.0

    /// Opens the database.
    ///
    /// - Parameters:
    ///   - creating: whether a missing file is created.
    ///   - isForAnswers: whether queries are small or rare.
    /// - Throws: `StoreError`.
    init(path: String, creating: Bool, isForAnswers: Bool = false) throws {
        try Self.prepare(path, creating: creating)
        // If the path is a link, the write-ahead log is beside its target.
        self.path = Self.resolved(path)
        var configuration = Configuration()
        configuration.label = "interactions"
        configuration.busyMode = .timeout(Self.patience)
        configuration.foreignKeysEnabled = false
        configuration.prepareDatabase { database in
            guard try String.fetchOne(database, sql: "PRAGMA journal_mode = WAL") == "wal" else {
                throw StoreError(
                    "the store \(path) cannot use a write-ahead log", remedy: "put it on a local file system")
            }
            try database.execute(
                sql: """
                    PRAGMA synchronous = FULL;
                    PRAGMA secure_delete = ON;
                    PRAGMA temp_store = MEMORY;
                    PRAGMA wal_autocheckpoint = \(Self.checkpointPages);
                    PRAGMA cache_size = -\(isForAnswers ? Self.answeringCache : Self.cache);
                    """)
        }
        do {
            queue = try DatabaseQueue(path: path, configuration: configuration)
        } catch {
            throw Self.storeError(error, path)
        }
    }

    static func resolved(_ path: String) -> String {
        guard let real = realpath(path, nil) else { return path }
        defer { free(real) }
        return String(cString: real)
    }

    deinit {
        try? queue.close()
        for descriptor in descriptors { close(descriptor) }
    }

    /// Keeps a descriptor of one of the database's files open until the database is closed.
    func closeLater(_ descriptor: CInt) { descriptors.append(descriptor) }

    /// Checks whether the file can be used, and creates it if needed. An existing file is not opened and closed again:
    /// that would release all locks of this process on it (POSIX, `close`), and another process would take the
    /// write-ahead log for abandoned ("How To Corrupt An SQLite Database File", section 2.2).
    private static func prepare(_ path: String, creating: Bool) throws {
        if access(path, R_OK | W_OK) == 0 { return try refuseIfPublic(path) }
        if errno == ENOENT {
            guard creating else { throw StoreError.noStore(.sqlite(path)) }
            let descriptor = Glibc.open(path, O_RDWR | O_CLOEXEC | O_CREAT | O_EXCL, 0o600)
            if descriptor >= 0 {
                Glibc.close(descriptor)
                return
            }
            // Another process has just created it, or it is a link to a missing file, which SQLite would create.
            var status = stat()
            if errno == EEXIST, lstat(path, &status) == 0 {
                if status.st_mode & S_IFMT != S_IFLNK { return }
                throw StoreError(
                    "cannot open the store \(path): it is a link to a missing file",
                    remedy: "remove the link, or specify the file itself in store.location", exitStatus: .configuration)
            }
        }
        throw StoreError(
            "cannot open the store \(path): \(SystemError.text(errno))",
            remedy: "create its directory, and make it writable for the matcher's user")
    }

    /// Throws if everybody may read or change the file. It holds the movements of all subjects, and the keys from which
    /// their secrets are derived.
    static func refuseIfPublic(_ path: String) throws {
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & 0o006 != 0 else { return }
        let mode = String(status.st_mode & 0o777, radix: 8)
        throw StoreError(
            "the store \(path) can be \(status.st_mode & 0o002 != 0 ? "changed" : "read") by everyone (mode 0\(mode))",
            remedy: "remove these permissions: chmod o= \(path)*", exitStatus: .configuration)
    }

    func write<Value>(_ body: (any SQLSession) throws -> Value) throws -> Value {
        try translated {
            try queue.writeWithoutTransaction { database in
                var value: Value?
                try database.inTransaction(.immediate) {
                    value = try body(SQLiteSession(database: database))
                    return .commit
                }
                guard let value else { throw StoreError("the store \(path): a transaction had no result") }
                return value
            }
        }
    }

    func read<Value>(_ body: (any SQLSession) throws -> Value) throws -> Value {
        try translated {
            try queue.unsafeRead { database in
                var value: Value?
                try database.inTransaction(.deferred) {
                    value = try body(SQLiteSession(database: database))
                    return .commit
                }
                guard let value else { throw StoreError("the store \(path): a transaction had no result") }
                return value
            }
        }
    }

    func maintain(_ sql: String) throws {
        try translated { try queue.writeWithoutTransaction { try $0.execute(sql: sql) } }
    }

    /// Runs `body` with the connection, outside any transaction.
    func withConnection<Value>(_ body: (Database) throws -> Value) throws -> Value {
        try translated { try queue.writeWithoutTransaction(body) }
    }

    private func translated<Value>(_ body: () throws -> Value) throws -> Value {
        do {
            return try body()
        } catch let error as DatabaseError {
            throw Self.storeError(error, path)
        }
    }

    static func storeError(_ error: any Error, _ path: String) -> StoreError {
        if let error = error as? StoreError { return error }
        guard let error = error as? DatabaseError else { return StoreError("the store \(path): \(error)") }
        let remedy: String? =
            switch error.resultCode {
            case .SQLITE_NOTADB, .SQLITE_CORRUPT:
                "restore it from a backup, or move it away: gateways with confirm = \"consumer\" re-deliver what they "
                    + "hold"
            case .SQLITE_FULL: "free space on its disk; no acknowledged record is lost"
            case .SQLITE_BUSY: "find the other program that writes to it: fuser \(path)"
            case .SQLITE_READONLY, .SQLITE_PERM, .SQLITE_CANTOPEN: "make it writable for the matcher's user"
            default: nil
            }
        let isOfData =
            switch error.resultCode {
            case .SQLITE_CONSTRAINT, .SQLITE_MISMATCH, .SQLITE_TOOBIG: true
            default: false
            }
        return StoreError(
            "the store \(path): \(error.message ?? "SQLite \(error.resultCode)")", remedy: remedy,
            exitStatus: isOfData ? .data : .inputOutput)
    }
}

struct SQLiteSession: SQLSession {
    let database: Database
    var dialect: SQLDialect { .sqlite }

    func execute(_ sql: String, _ arguments: [SQLValue]) throws -> Int {
        let statement = try prepared(sql, arguments, keepsStatement: true)
        defer { sqlite3_clear_bindings(statement.sqliteStatement) }
        try statement.execute()
        return database.changesCount
    }

    func query(
        _ sql: String, _ arguments: [SQLValue], keepsStatement: Bool, _ body: (SQLRow) throws -> Void
    ) throws {
        let statement = try prepared(sql, arguments, keepsStatement: keepsStatement)
        let handle = statement.sqliteStatement
        defer {
            sqlite3_reset(handle)
            sqlite3_clear_bindings(handle)
        }
        while true {
            switch sqlite3_step(handle) {
            case SQLITE_ROW: try body(SQLRow(source: .sqlite(handle)))
            case SQLITE_DONE: return
            case let code:
                throw DatabaseError(
                    resultCode: ResultCode(rawValue: code),
                    message: String(cString: sqlite3_errmsg(database.sqliteConnection)),
                    sql: sql)
            }
        }
    }

    private func text(of insertion: SQLInsertion) -> String {
        let places = insertion.columns.indices.map { "$\($0 + 1)" }.joined(separator: ", ")
        return "INSERT INTO \(insertion.table) (\(insertion.columns.joined(separator: ", "))) VALUES (\(places)) "
            + insertion.conflict
    }

    func insert(_ insertion: SQLInsertion, rows: [[SQLValue]], _ body: (SQLRow) throws -> Void) throws {
        let sql = text(of: insertion)
        for row in rows { try query(sql, row, keepsStatement: true, body) }
    }

    func find(
        _ columns: String, in table: String, where column: String, is texts: [String], isLocking: Bool,
        _ body: (SQLRow) throws -> Void
    ) throws {
        // A writer holds the database exclusively.
        let sql = "SELECT \(columns) FROM \(table) WHERE \(column) = $1"
        for text in texts { try query(sql, [.text(text)], keepsStatement: true, body) }
    }

    func rows(of table: String, in ranges: [ClosedRange<Int64>], _ body: (SQLRow) throws -> Void) throws {
        let sql = "SELECT id, content FROM \(table) WHERE id BETWEEN $1 AND $2"
        for range in ranges {
            try query(sql, [.integer(range.lowerBound), .integer(range.upperBound)], keepsStatement: true, body)
        }
    }

    func insert(_ insertion: SQLInsertion, rows: [Int64?]) throws {
        let statement = try database.cachedStatement(sql: text(of: insertion))
        // GRDB assumes that the bound values are those that were set here.
        statement.setUncheckedArguments(StatementArguments())
        let handle = statement.sqliteStatement
        defer { sqlite3_clear_bindings(handle) }
        var index = rows.startIndex
        while index < rows.endIndex {
            sqlite3_reset(handle)
            for column in insertion.columns.indices {
                if let value = rows[index + column] {
                    sqlite3_bind_int64(handle, Int32(column) + 1, value)
                } else {
                    sqlite3_bind_null(handle, Int32(column) + 1)
                }
            }
            try statement.execute()
            index += insertion.columns.count
        }
    }

    /// Names of the arguments of a statement.
    private static let names = (1...32).map { "$\($0)" }

    private func prepared(_ sql: String, _ arguments: [SQLValue], keepsStatement: Bool) throws -> Statement {
        let statement = try keepsStatement ? database.cachedStatement(sql: sql) : database.makeStatement(sql: sql)
        statement.setUncheckedArguments(StatementArguments())
        let handle = statement.sqliteStatement
        sqlite3_reset(handle)
        for (index, argument) in arguments.enumerated() {
            // SQLite numbers them in the order of their first occurrence.
            let position = sqlite3_bind_parameter_index(handle, Self.names[index])
            switch argument {
            case .integer(let value?): sqlite3_bind_int64(handle, position, value)
            case .text(let value?):
                if value.utf8.contains(0) { throw StoreError.nul }
                // SQLite copies it (SQLITE_TRANSIENT).
                sqlite3_bind_text(handle, position, value, -1, unsafeBitCast(-1, to: sqlite3_destructor_type.self))
            case .blob(let bytes):
                // An empty array has no address, which SQLite would take for a null.
                if bytes.isEmpty {
                    sqlite3_bind_zeroblob(handle, position, 0)
                } else {
                    sqlite3_bind_blob(
                        handle, position, bytes, Int32(clamping: bytes.count),
                        unsafeBitCast(-1, to: sqlite3_destructor_type.self))
                }
            case .integer(nil), .text(nil): sqlite3_bind_null(handle, position)
            }
        }
        return statement
    }
}
