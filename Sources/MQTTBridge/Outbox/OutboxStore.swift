import BeaconModel
import FoundationEssentials
import GRDB
import Glibc
import SystemIO

/// The outbox on disk: an SQLite database in which a committed row survives the loss of power.
final class OutboxStore: Sendable {
    static let schemaVersion = 1
    private static let pageSize = 4096

    let path: String
    private let queue: DatabaseQueue

    /// What is to be known of a row at start.
    struct Loaded: Sendable {
        var id: Int64
        var topic: String
        var priority: OutboxPriority
        var position: RecordPosition
        var enteredAt: Int64
        var payloadSize: Int
    }

    private init(path: String, queue: DatabaseQueue) {
        self.path = path
        self.queue = queue
    }

    // MARK: Opening

    /// Opens the database, which is made if it isn't there. Blocks.
    ///
    /// - Throws: `OutboxError`, `DatabaseError`.
    static func open(_ path: String) throws -> OutboxStore {
        let descriptor = Glibc.open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            throw OutboxError(
                "can't open the outbox \(path): \(SystemError.text(errno))",
                meaning: "records can't be kept over an outage or a restart",
                remedy: "make its directory, and let the user of the gateway write there")
        }
        fchmod(descriptor, 0o600)
        Glibc.close(descriptor)
        var configuration = Configuration()
        configuration.label = "outbox"
        configuration.busyMode = .timeout(5)
        configuration.foreignKeysEnabled = false
        let queue = try DatabaseQueue(path: path, configuration: configuration)
        let store = OutboxStore(path: path, queue: queue)
        try queue.inDatabase { try store.setUp($0) }
        return store
    }

    private func setUp(_ database: Database) throws {
        try database.execute(sql: "PRAGMA page_size = \(Self.pageSize)")
        let mode = try String.fetchOne(database, sql: "PRAGMA journal_mode = WAL")
        guard mode == "wal" else {
            throw OutboxError(
                "the outbox \(path) can't have a write-ahead log", remedy: "put it on a local file system")
        }
        try database.execute(
            sql: """
                PRAGMA synchronous = FULL;
                PRAGMA wal_autocheckpoint = 1000;
                PRAGMA journal_size_limit = 8388608;
                PRAGMA temp_store = MEMORY;
                PRAGMA cache_size = -2048;
                """)
        let version = try Int.fetchOne(database, sql: "PRAGMA user_version") ?? 0
        switch version {
        case 0:
            try database.inTransaction(.immediate) {
                try database.execute(
                    sql: """
                        CREATE TABLE record (
                            id INTEGER PRIMARY KEY, topic TEXT NOT NULL, priority INTEGER NOT NULL,
                            boot INTEGER NOT NULL, sequence INTEGER NOT NULL, entered INTEGER NOT NULL,
                            checksum INTEGER NOT NULL, payload BLOB NOT NULL);
                        PRAGMA user_version = \(Self.schemaVersion);
                        """)
                return .commit
            }
        case Self.schemaVersion: break
        default:
            throw OutboxError(
                "the outbox \(path) has version \(version) of its schema; this program knows \(Self.schemaVersion)",
                meaning: "it was written by a newer version",
                remedy: "run that version, or move the file away; its records are not sent then")
        }
    }

    // MARK: Reading

    /// Tells of every row in the order of identifiers. Blocks.
    ///
    /// - Returns: the identifiers of damaged rows.
    func load(_ body: (Loaded) -> Void) throws -> [Int64] {
        try queue.inDatabase { database in
            var damaged: [Int64] = []
            let rows = try Row.fetchCursor(
                database,
                sql: "SELECT id, topic, priority, boot, sequence, entered, checksum, payload FROM record ORDER BY id")
            while let row = try rows.next() {
                let id: Int64 = row[0]
                if let loaded = try Self.check(row, { _ in () })?.0 {
                    body(loaded)
                } else {
                    damaged.append(id)
                }
            }
            return damaged
        }
    }

    /// The payloads of rows.
    ///
    /// - Returns: of those that are there and undamaged.
    func read(_ ids: [Int64]) async throws -> [Int64: [UInt8]] {
        try await perform { database in
            let statement = try database.cachedStatement(
                sql: """
                    SELECT id, topic, priority, boot, sequence, entered, checksum, payload FROM record WHERE id = ?
                    """)
            var payloads: [Int64: [UInt8]] = [:]
            for id in ids {
                guard let row = try Row.fetchOne(statement, arguments: [id]) else { continue }
                payloads[id] = try Self.check(row) { Array($0) }?.1
            }
            return payloads
        }
    }

    /// A row, if it is what was written.
    private static func check<Contents>(
        _ row: Row, _ contents: (UnsafeRawBufferPointer) -> Contents
    ) throws -> (Loaded, Contents)? {
        guard let id = Int64.fromDatabaseValue(row[0]), let topic = String.fromDatabaseValue(row[1]),
            let priority = UInt8.fromDatabaseValue(row[2]).flatMap(OutboxPriority.init),
            let boot = Int64.fromDatabaseValue(row[3]), let sequence = Int64.fromDatabaseValue(row[4]),
            let enteredAt = Int64.fromDatabaseValue(row[5]), let checksum = Int64.fromDatabaseValue(row[6])
        else { return nil }
        let position = RecordPosition(boot: UInt64(bitPattern: boot), sequence: UInt64(bitPattern: sequence))
        return try row.withUnsafeData(atIndex: 7) { payload in
            guard let payload else { return nil }
            return payload.withUnsafeBytes { bytes in
                let found = OutboxRow.checksum(
                    id: id, topic: topic, priority: priority, position: position, enteredAt: enteredAt, payload: bytes)
                guard found == checksum else { return nil }
                return (
                    Loaded(
                        id: id, topic: topic, priority: priority, position: position, enteredAt: enteredAt,
                        payloadSize: bytes.count), contents(bytes)
                )
            }
        }
    }

    // MARK: Writing

    /// Writes and deletes in one transaction, which is on the disk when this returns.
    func apply(inserts: [OutboxRow], deletes: [Int64]) async throws {
        try await perform { database in
            try database.inTransaction(.immediate) {
                let delete = try database.cachedStatement(sql: "DELETE FROM record WHERE id BETWEEN ? AND ?")
                for run in Self.runs(deletes.sorted()) {
                    try delete.execute(arguments: [run.lowerBound, run.upperBound])
                }
                let insert = try database.cachedStatement(
                    sql: """
                        INSERT OR REPLACE INTO record (id, topic, priority, boot, sequence, entered, checksum, payload)
                        VALUES (?, ?, ?, ?, ?, ?, ?, ?)
                        """)
                for row in inserts {
                    try insert.execute(arguments: [
                        row.id, row.topic, Int64(row.priority.rawValue), Int64(bitPattern: row.position.boot),
                        Int64(bitPattern: row.position.sequence), row.enteredAt, row.checksum, Data(row.payload),
                    ])
                }
                return .commit
            }
        }
    }

    /// Sorted identifiers as ranges without gaps.
    static func runs(_ ids: [Int64]) -> [ClosedRange<Int64>] {
        var runs: [ClosedRange<Int64>] = []
        for id in ids {
            if let last = runs.last, id <= last.upperBound + 1 {
                runs[runs.count - 1] = last.lowerBound...max(id, last.upperBound)
            } else {
                runs.append(id...id)
            }
        }
        return runs
    }

    /// Moves the write-ahead log into the database and closes it.
    func close() async throws {
        try await perform { database in _ = try database.checkpoint(.truncate) }
        try queue.close()
    }

    /// What SQLite says, in one line.
    static func describe(_ error: any Error) -> String {
        guard let error = error as? DatabaseError else { return error.inOneLine }
        return "\(error.message ?? "SQLite") (SQLite \(error.extendedResultCode.rawValue))"
    }

    /// On the queue of the database, and whether or not the caller's task is cancelled.
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
