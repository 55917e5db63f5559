import BeaconModel
import GRDB
import Glibc
package import Publishing
import SystemIO

/// The outbox on disk: an SQLite database in which a committed row survives a power failure.
package final class OutboxStore: Sendable {
    /// Pages in the write-ahead log at which it is moved into the database.
    private static let checkpointPages = 1024

    package let path: String
    private let queue: DatabaseQueue
    private let writer: OutboxWriter
    private let stateFile: OutboxStateFile
    /// The identity of the opened file.
    private let identity: FileIdentity?
    /// Number of used and of free pages in the database after the latest transaction.
    private let pages = LockedValue((used: 0, free: 0))

    private init(path: String, queue: DatabaseQueue, hasReserve: Bool) {
        self.path = path
        self.queue = queue
        writer = OutboxWriter(path: path, reserve: hasReserve ? OutboxReserve(database: path) : nil)
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
        guard status.st_size == 0 || status.st_size >= OutboxSchema.pageSize else {
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
        try database.execute(sql: "PRAGMA page_size = \(OutboxSchema.pageSize)")
        let mode = try String.fetchOne(database, sql: "PRAGMA journal_mode = WAL")
        guard mode == "wal" else {
            throw OutboxError(
                "the outbox \(path) cannot use a write-ahead log", remedy: "put it on a local file system")
        }
        try database.execute(
            sql: """
                PRAGMA synchronous = FULL;
                PRAGMA wal_autocheckpoint = \(Self.checkpointPages);
                PRAGMA journal_size_limit = \(Self.checkpointPages * OutboxSchema.pageSize);
                PRAGMA temp_store = MEMORY;
                PRAGMA cache_size = -2048;
                """)
        try OutboxTable.prepare(database, path: path)
    }

    // MARK: Reading

    /// Passes every row to `body` in the order of identifiers, then checks the structure of the file. Blocks.
    ///
    /// - Parameter body: receives the row without its payload, and the size of the payload.
    /// - Returns: the identifiers of damaged rows.
    /// - Throws: `DatabaseError`.
    package func load(_ body: (OutboxRow, Int) -> Void) throws -> [Int64] {
        try queue.inDatabase { database in
            var damaged: [Int64] = []
            let rows = try OutboxTable.rows(database)
            while let row = try rows.next() {
                if let (row, size) = try OutboxTable.checked(row, copiesPayload: false) {
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
        try await perform { try OutboxTable.payloads($0, of: ids) }
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
    func takeReserve() { writer.reserve?.take() }

    private func write(_ database: Database, inserts: [OutboxRow], deletes: [Int64]) throws {
        defer { count(database) }
        try writer.write(database, inserts: inserts, deletes: deletes)
    }

    private func count(_ database: Database) {
        guard let counted = writer.pages(database) else { return }
        pages.withLock { $0 = counted }
    }

    /// The space on the disk, excluding the reserve and the write-ahead log; `nil` if it is unknown.
    package var space: OutboxSpace? {
        guard let space = FileSystemSpace(holding: path) else { return nil }
        let (used, free) = pages.withLock(\.self)
        return OutboxSpace(
            availableBytes: space.availableBytes, freeBytes: free * OutboxSchema.pageSize,
            usedBytes: used * OutboxSchema.pageSize)
    }

    /// Moves the write-ahead log into the database, with the space of the reserve if necessary, and closes the
    /// database.
    package func close(_ state: OutboxState) async throws {
        try await perform { database in
            self.writeState(state, isDurable: true)
            try self.writer.checkpoint(database)
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
        let store = try OutboxStore.open(path, hasReserve: writer.reserve != nil)
        store.takeReserve()
        return store
    }

    /// Closes the database as it is.
    package func abandon() { try? queue.close() }

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
