import BeaconModel
import FoundationEssentials
package import GRDB
import Glibc
package import Publishing
import RecordContract
import SystemIO

/// The outbox on disk: an SQLite database in which a committed row survives a power failure.
package final class OutboxStore: Sendable {
    /// Version of the schema. A changed table must get another name, because another version next to this table counts
    /// as damage.
    private static let schemaVersion = 1
    private static let table = """
        CREATE TABLE record (id INTEGER PRIMARY KEY, topic TEXT NOT NULL, priority INTEGER NOT NULL, \
        boot INTEGER NOT NULL, sequence INTEGER NOT NULL, entered INTEGER NOT NULL, checksum INTEGER NOT NULL, \
        payload BLOB NOT NULL)
        """
    /// Page size in bytes: the block size of most file systems. It costs least under heavy load. Smaller pages write up
    /// to a quarter less for a record in a transaction of its own, and leave less space unused between records.
    package static let pageSize = 4096
    /// Pages in the write-ahead log at which it is moved into the database.
    private static let checkpointPages = 1024

    package let path: String
    private let queue: DatabaseQueue
    /// The reserve; `nil` for a database that is built to replace another.
    private let reserve: OutboxReserve?
    private let stateFile: OutboxStateFile
    /// The identity of the opened file.
    private let identity: FileIdentity?
    /// Number of used and of free pages in the database after the latest transaction.
    private let pages = LockedValue((used: 0, free: 0))

    private init(path: String, queue: DatabaseQueue, hasReserve: Bool) {
        self.path = path
        self.queue = queue
        reserve = hasReserve ? OutboxReserve(database: path) : nil
        stateFile = OutboxStateFile(database: path)
        identity = FileIdentity(path)
    }

    // MARK: Opening

    /// Opens the database and creates it if it does not exist. Blocks.
    ///
    /// - Parameter hasReserve: whether space is set aside for the time when the disk is full.
    /// - Throws: `OutboxError`, `DatabaseError`.
    package static func open(_ path: String, hasReserve: Bool = true) throws -> OutboxStore {
        let descriptor = Glibc.open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else {
            throw OutboxError(
                "cannot open the outbox \(path): \(SystemError.text(errno))",
                meaning: "records cannot be kept during an outage or a restart",
                remedy: "create its directory, and make it writable for the gateway's user")
        }
        fchmod(descriptor, 0o600)
        var status = stat()
        fstat(descriptor, &status)
        Glibc.close(descriptor)
        // SQLite would treat a file shorter than its header as an empty database.
        guard status.st_size == 0 || status.st_size >= pageSize else {
            throw DatabaseError(resultCode: .SQLITE_NOTADB, message: "file is too short")
        }
        var configuration = Configuration()
        configuration.label = "outbox"
        configuration.busyMode = .timeout(5)
        configuration.foreignKeysEnabled = false
        let store = OutboxStore(
            path: path, queue: try DatabaseQueue(path: path, configuration: configuration), hasReserve: hasReserve)
        do {
            try store.queue.inDatabase { try store.setUp($0) }
            return store
        } catch {
            store.abandon()
            throw error
        }
    }

    private func setUp(_ database: Database) throws {
        try database.execute(sql: "PRAGMA page_size = \(Self.pageSize)")
        let mode = try String.fetchOne(database, sql: "PRAGMA journal_mode = WAL")
        guard mode == "wal" else {
            throw OutboxError(
                "the outbox \(path) cannot use a write-ahead log", remedy: "put it on a local file system")
        }
        try database.execute(
            sql: """
                PRAGMA synchronous = FULL;
                PRAGMA wal_autocheckpoint = \(Self.checkpointPages);
                PRAGMA journal_size_limit = \(Self.checkpointPages * Self.pageSize);
                PRAGMA temp_store = MEMORY;
                PRAGMA cache_size = -2048;
                """)
        let version = try Int.fetchOne(database, sql: "PRAGMA user_version") ?? 0
        let tables = try String.fetchAll(database, sql: "SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL")
        if tables.isEmpty, version == 0 {
            try database.inTransaction(.immediate) {
                try database.execute(sql: Self.table)
                try database.execute(sql: "PRAGMA user_version = \(Self.schemaVersion)")
                return .commit
            }
        } else if tables == [Self.table] {
            guard version != Self.schemaVersion else { return }
            try database.execute(sql: "PRAGMA user_version = \(Self.schemaVersion)")
        } else if version > Self.schemaVersion, !tables.isEmpty {
            throw OutboxError(
                "the outbox \(path) has schema version \(version); this program supports up to \(Self.schemaVersion)",
                meaning: "it was written by a newer version",
                remedy: "run that version, or move the file away; its records are not sent then")
        } else {
            throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: "the table of records is missing")
        }
    }

    // MARK: Reading

    private static let columns = "id, topic, priority, boot, sequence, entered, checksum, payload"

    /// Passes every row to `body` in the order of identifiers, then checks the structure of the file. Blocks.
    ///
    /// - Parameter body: receives the row without its payload, and the size of the payload.
    /// - Returns: the identifiers of damaged rows.
    /// - Throws: `DatabaseError`.
    package func load(_ body: (OutboxRow, Int) -> Void) throws -> [Int64] {
        try queue.inDatabase { database in
            var damaged: [Int64] = []
            let rows = try Self.rows(database)
            while let row = try rows.next() {
                if let (row, size) = try Self.checked(row, copiesPayload: false) {
                    body(row, size)
                } else {
                    damaged.append(row[0])
                }
            }
            count(database)
            // Damage to the free pages would otherwise show only when the next row is written.
            let check = try String.fetchOne(database, sql: "PRAGMA quick_check(1)")
            guard check == "ok" else { throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: check) }
            return damaged
        }
    }

    /// Reads the payloads of rows.
    ///
    /// - Returns: the payloads of the rows that exist and are undamaged.
    package func read(_ ids: [Int64]) async throws -> [Int64: [UInt8]] {
        try await perform { database in
            let statement = try database.cachedStatement(sql: "SELECT \(Self.columns) FROM record WHERE id = ?")
            var payloads: [Int64: [UInt8]] = [:]
            for id in ids {
                guard let row = try Row.fetchOne(statement, arguments: [id]) else { continue }
                payloads[id] = try Self.row(row)?.payload
            }
            return payloads
        }
    }

    /// Returns a cursor over all rows in the order of their identifiers.
    package static func rows(_ database: Database) throws -> RowCursor {
        try Row.fetchCursor(database, sql: "SELECT \(columns) FROM record ORDER BY id")
    }

    /// Returns a row if it matches what was written, otherwise `nil`.
    package static func row(_ row: Row) throws -> OutboxRow? { try checked(row, copiesPayload: true)?.0 }

    private static func checked(_ row: Row, copiesPayload: Bool) throws -> (OutboxRow, Int)? {
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

    // MARK: Writing

    /// Writes and deletes rows durably: all changes are on disk when this returns.
    ///
    /// On a full disk, the reserve is spent on moving the write-ahead log into the database and on deleting. It is
    /// taken back before anything is written. When this throws, all of `deletes` and a part of `inserts` may have been
    /// applied; both can be repeated.
    ///
    /// - Parameters:
    ///   - before: the state without the deleted and the new rows, so that it claims nothing that may be missing.
    ///   - after: the state with the new rows.
    package func apply(inserts: [OutboxRow], deletes: [Int64], before: OutboxState, after: OutboxState) async throws {
        try await perform { database in
            if !deletes.isEmpty { self.writeState(before, isDurable: false) }
            try self.write(database, inserts: inserts, deletes: deletes)
            if !inserts.isEmpty { self.writeState(after, isDurable: false) }
        }
    }

    /// Writes the state. If that fails, removes the file, so that an older state is not used. Blocks.
    package func writeState(_ state: OutboxState, isDurable: Bool) {
        if (try? stateFile.write(state, isDurable: isDurable)) == nil { unlink(stateFile.path) }
    }

    /// Schedules a durable write of the state ahead of everything that is written from now on.
    package func keep(_ state: OutboxState) {
        queue.asyncWriteWithoutTransaction { _ in self.writeState(state, isDurable: true) }
    }

    /// Writes and deletes rows without updating the state; blocks.
    package func applyNow(inserts: [OutboxRow], deletes: [Int64]) throws {
        try queue.inDatabase { try write($0, inserts: inserts, deletes: deletes) }
    }

    /// Sets space aside for the time when the disk is full.
    func takeReserve() { reserve?.take() }

    private func write(_ database: Database, inserts: [OutboxRow], deletes: [Int64]) throws {
        defer { count(database) }
        var deletes = deletes
        var rest = inserts[...]
        func writeRest() throws {
            repeat {
                let chunk = rest.prefix(try chunkLength(database, rest))
                try Self.apply(database, inserts: Array(chunk), deletes: deletes)
                deletes = []
                rest = rest.dropFirst(chunk.count)
            } while !rest.isEmpty
        }
        do {
            try writeRest()
        } catch  where Self.isOutOfSpace(error) {
            try spendReserve(database, deletes: deletes, inserts: &rest)
            deletes = []
            if !rest.isEmpty { try writeRest() }
        }
        compact(database)
    }

    /// Returns the number of rows for the next transaction, limited so that the reserve can take it into the database.
    ///
    /// - Throws: `DatabaseError` with `SQLITE_FULL` if the reserve would not suffice.
    private func chunkLength(_ database: Database, _ rows: ArraySlice<OutboxRow>) throws -> Int {
        guard let first = rows.first, let held = reserve?.take() else { return rows.count }
        if try growth(database) > held / 2 { _ = try? database.checkpoint(.truncate) }
        guard held >= OutboxReserve.smallest, try growth(database) <= held / 2 else {
            throw DatabaseError(resultCode: .SQLITE_FULL, message: "database or disk is full")
        }
        var bytes = first.payload.count + Self.pageSize
        return 1
            + rows.dropFirst().prefix { row in
                bytes += row.payload.count + row.topic.utf8.count + OutboxLedger.overhead
                return bytes <= held / 4
            }.count
    }

    /// Returns the bytes by which the database grows when the write-ahead log is moved into it.
    private func growth(_ database: Database) throws -> Int {
        let pages = try Int.fetchOne(database.cachedStatement(sql: "PRAGMA page_count")) ?? 0
        var status = stat()
        guard stat(path, &status) == 0 else { return 0 }
        return pages * Self.pageSize - Int(status.st_size)
    }

    private func freePages(_ database: Database) throws -> Int {
        try Int.fetchOne(database.cachedStatement(sql: "PRAGMA freelist_count")) ?? 0
    }

    /// Free pages that splitting the table's inner pages may need, in addition to the pages for the rows.
    private static let spareFreePages = 2

    /// Deletes with the space of the reserve, which is taken back afterwards. Also writes what fits into free pages,
    /// since that does not lengthen the database.
    private func spendReserve(
        _ database: Database, deletes: [Int64], inserts rest: inout ArraySlice<OutboxRow>
    ) throws {
        _ = try? database.checkpoint(.truncate)
        guard let reserve else { return }
        let hasRoom = try !rest.isEmpty && freePages(database) > Self.spareFreePages
        guard try hasRoom || !deletes.isEmpty || growth(database) > 0 else { return }
        let size = reserve.release()
        defer { reserve.retake(size) }
        _ = try? database.checkpoint(.truncate)
        // Each deletion changes a few pages, and the log of a transaction must fit into half of the reserve.
        let step = max(4, size / (8 * Self.pageSize))
        for start in stride(from: 0, to: deletes.count, by: step) {
            try Self.apply(database, inserts: [], deletes: Array(deletes[start..<min(start + step, deletes.count)]))
            _ = try? database.checkpoint(.truncate)
        }
        compact(database)
        while !rest.isEmpty, try growth(database) == 0 {
            let limit = min(size / 4, (try freePages(database) - Self.spareFreePages) * Self.pageSize / 2)
            var bytes = 0
            let chunk = rest.prefix { row in
                bytes += OutboxLedger.cost(topic: row.topic, payload: row.payload.count)
                return bytes <= limit
            }
            guard !chunk.isEmpty else { return }
            try Self.apply(database, inserts: Array(chunk), deletes: [])
            rest = rest.dropFirst(chunk.count)
            _ = try? database.checkpoint(.truncate)
        }
    }

    /// Returns disk space to the file system after an outage, once nearly all records are delivered and there is little
    /// to copy.
    private func compact(_ database: Database) {
        guard let pages = try? Int.fetchOne(database.cachedStatement(sql: "PRAGMA page_count")),
            let free = try? freePages(database)
        else { return }
        let worthwhile = max(OutboxReserve.smallest, min(reserve?.bytes ?? 0, OutboxReserve.largest) / 2)
        guard free * Self.pageSize > worthwhile, pages - free <= Self.compactPages else { return }
        // A failure here is retried after another transaction.
        try? database.execute(sql: "VACUUM")
        _ = try? database.checkpoint(.truncate)
    }

    /// Pages in use up to which the database is compacted.
    private static let compactPages = 64

    private func count(_ database: Database) {
        guard let all = try? Int.fetchOne(database.cachedStatement(sql: "PRAGMA page_count")),
            let free = try? freePages(database)
        else { return }
        pages.withLock { $0 = (used: all - free, free: free) }
    }

    /// The space on the disk, excluding the reserve and the write-ahead log; `nil` if it is unknown.
    package var space: OutboxSpace? {
        guard let space = FileSystemSpace(holding: path) else { return nil }
        let (used, free) = pages.withLock(\.self)
        return OutboxSpace(
            availableBytes: space.availableBytes, freeBytes: free * Self.pageSize, usedBytes: used * Self.pageSize)
    }

    /// Whether an error says, or may say, that the file system is full. SQLite reports an exceeded quota as an I/O
    /// error, and likewise a full file system while it creates its shared memory.
    package static func isOutOfSpace(_ error: any Error) -> Bool {
        guard let error = error as? DatabaseError else { return (error as? SystemError)?.isOutOfSpace ?? false }
        if error.resultCode == .SQLITE_FULL { return true }
        switch error.extendedResultCode {
        case .SQLITE_IOERR_WRITE, .SQLITE_IOERR_SHMSIZE, .SQLITE_IOERR_TRUNCATE: return true
        default: return false
        }
    }

    private static func apply(_ database: Database, inserts: [OutboxRow], deletes: [Int64]) throws {
        try database.inTransaction(.immediate) {
            let delete = try database.cachedStatement(sql: "DELETE FROM record WHERE id BETWEEN ? AND ?")
            for run in runs(deletes.sorted()) { try delete.execute(arguments: [run.lowerBound, run.upperBound]) }
            let insertion = try OutboxInsertion(database, columns: columns)
            for row in inserts { try insertion.insert(row) }
            return .commit
        }
    }

    /// Returns sorted identifiers as ranges without gaps.
    package static func runs(_ ids: [Int64]) -> [ClosedRange<Int64>] {
        var runs: [ClosedRange<Int64>] = []
        for id in ids {
            // A damaged row may have any identifier.
            if let last = runs.last, last.upperBound == .max || id <= last.upperBound + 1 {
                runs[runs.count - 1] = last.lowerBound...max(id, last.upperBound)
            } else {
                runs.append(id...id)
            }
        }
        return runs
    }

    /// Moves the write-ahead log into the database, with the space of the reserve if necessary, and closes the
    /// database.
    package func close(_ state: OutboxState) async throws {
        try await perform { database in
            self.writeState(state, isDurable: true)
            do {
                _ = try database.checkpoint(.truncate)
            } catch  where Self.isOutOfSpace(error) {
                guard let reserve = self.reserve else { throw error }
                let size = reserve.release()
                defer { reserve.retake(size) }
                _ = try database.checkpoint(.truncate)
            }
        }
        try queue.close()
    }

    /// Moves the write-ahead log into the database and closes the database, without the reserve; blocks.
    package func closeNow() throws {
        try checkpointNow()
        try queue.close()
    }

    func checkpointNow() throws { try queue.inDatabase { _ = try $0.checkpoint(.truncate) } }

    /// Executes an SQL statement. Blocks.
    package func execute(_ sql: String) throws { try queue.inDatabase { try $0.execute(sql: sql) } }

    // MARK: Its place

    /// Whether the file is still at the path where it was opened. It can be removed while open, alone or with its
    /// directory.
    var isInPlace: Bool { identity == nil || FileIdentity(path) == identity }

    /// Writes a copy of all records to the original path and opens the copy. This store is then closed.
    ///
    /// - Throws: `OutboxError` if another file is there; `DatabaseError`.
    func moveBack() async throws -> OutboxStore {
        try await perform { database in
            guard access(self.path, F_OK) != 0 else {
                throw OutboxError(
                    "the outbox \(self.path) was replaced by another file",
                    remedy:
                        "stop the program that wrote it, and move that file away: the gateway writes its own outbox "
                        + "again"
                )
            }
            if let end = self.path.lastIndex(of: "/") { mkdir(String(self.path[..<end]), 0o755) }
            // SQLite would treat these files as belonging to the copy.
            for suffix in ["-wal", "-shm"] { unlink(self.path + suffix) }
            try database.execute(sql: "VACUUM INTO ?", arguments: [self.path])
        }
        // Closing removes the write-ahead log by its name. The copy must not have a log of that name yet.
        abandon()
        let store = try OutboxStore.open(path, hasReserve: reserve != nil)
        store.takeReserve()
        return store
    }

    /// Closes the database as it is.
    package func abandon() { try? queue.close() }

    /// Returns SQLite's message in one line.
    package static func describe(_ error: any Error) -> String {
        guard let error = error as? DatabaseError else { return error.inOneLine }
        return "\(error.message ?? "SQLite") (SQLite \(error.extendedResultCode.rawValue))"
    }

    /// Runs `body` on the queue of the database, whether or not the caller's task is cancelled.
    private func perform<Result: Sendable>(
        _ body: @escaping @Sendable (Database) throws -> Result
    ) async throws -> Result {
        try await withCheckedThrowingContinuation { continuation in
            queue.asyncWriteWithoutTransaction { database in
                continuation.resume(with: Swift.Result { try body(database) })
            }
        }
    }
}

/// The identity of the file at a path.
private struct FileIdentity: Equatable, Sendable {
    private let device: UInt
    private let inode: UInt

    /// Reads the identity of the file at `path`.
    ///
    /// - Returns: `nil` if there is no file.
    init?(_ path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        device = UInt(status.st_dev)
        inode = UInt(status.st_ino)
    }
}
