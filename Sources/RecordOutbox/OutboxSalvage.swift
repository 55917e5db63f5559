import BeaconModel
import FoundationEssentials
import GRDB
import Glibc
import Publishing
import SystemIO

/// Salvage of the readable rows of a damaged database into a new one. The damaged one is kept next to it.
enum OutboxSalvage {
    static func damagedPath(_ path: String) -> String { path + ".damaged" }
    private static func newPath(_ path: String) -> String { path + ".salvage" }
    /// The path of the new database once it is complete.
    private static func finishedPath(_ path: String) -> String { path + ".salvaged" }

    /// Whether an error says that the file is not, or no longer, a sound database of the outbox.
    static func isDamage(_ error: any Error) -> Bool {
        guard let error = error as? DatabaseError else { return false }
        switch error.resultCode {
        case .SQLITE_CORRUPT, .SQLITE_NOTADB: return true
        // The schema has lost its table, or the file ends too early.
        case .SQLITE_ERROR: return true
        default: return error.extendedResultCode == .SQLITE_IOERR_SHORT_READ
        }
    }

    /// Completes a salvage that was interrupted after everything had been copied, and discards any other.
    static func completeInterrupted(_ path: String) throws(SystemError) {
        if access(finishedPath(path), F_OK) == 0 { try replace(path) }
        removeDatabase(newPath(path))
    }

    /// Replaces the damaged database with a new one that contains all readable rows. Blocks.
    ///
    /// - Parameter error: the error that showed the damage.
    /// - Throws: `OutboxError`, `DatabaseError`, `SystemError`. In these cases the damaged database is still in place.
    static func salvage(_ path: String, because error: any Error) throws -> OutboxFinding {
        removeDatabase(newPath(path))
        let rescued = try OutboxStore.open(newPath(path), hasReserve: false)
        var saved = Set<Int64>()
        do {
            try copy(from: path, to: rescued, &saved)
            if saved.isEmpty { try copyWithNewFirstPage(from: path, to: rescued, &saved) }
        } catch {
            // Rows that cannot be written now must not be given up as unreadable.
            rescued.abandon()
            removeDatabase(newPath(path))
            throw error
        }
        try rescued.closeNow()
        removeDatabase(damagedPath(path))
        try FileContents.rename(newPath(path), to: finishedPath(path))
        try replace(path)
        return OutboxFinding(
            "the outbox \(path) was damaged (\(OutboxStore.describe(error))): \(saved.count) records were recovered",
            remedy: "the damaged file is kept as \(damagedPath(path)); check the disk for corruption")
    }

    /// Moves the new database into place. An interruption after any step is safe: the next run continues there.
    private static func replace(_ path: String) throws(SystemError) {
        // The complete copy must be durable before anything is moved.
        sync(path)
        let damaged = damagedPath(path)
        // SQLite finds the damaged database's log by its name.
        if access(path + "-wal", F_OK) == 0 { try FileContents.rename(path + "-wal", to: damaged + "-wal") }
        unlink(path + "-shm")
        if access(path, F_OK) == 0 { try FileContents.rename(path, to: damaged) }
        try FileContents.rename(finishedPath(path), to: path)
        sync(path)
    }

    /// Syncs the directory, which makes the names of the file and of the one it replaced durable.
    private static func sync(_ path: String) {
        let directory = open(path.lastIndex(of: "/").map { String(path[...$0]) } ?? ".", O_RDONLY | O_CLOEXEC)
        guard directory >= 0 else { return }
        _ = fsync(directory)
        close(directory)
    }

    private static func removeDatabase(_ path: String) {
        for suffix in ["", "-wal", "-shm"] { unlink(path + suffix) }
    }

    /// Copies the readable rows to `store`. A database that cannot be opened or read adds nothing.
    ///
    /// - Throws: errors of writing to `store`.
    private static func copy(from path: String, to store: OutboxStore, _ saved: inout Set<Int64>) throws {
        var configuration = Configuration()
        configuration.readonly = true
        configuration.label = "damaged outbox"
        guard let queue = try? DatabaseQueue(path: path, configuration: configuration) else { return }
        defer { try? queue.close() }
        try queue.inDatabase { database in
            var batch: [OutboxRow] = []
            var failure: (any Error)?
            func flush() {
                do {
                    if failure == nil, !batch.isEmpty { try store.applyNow(inserts: batch, deletes: []) }
                    saved.formUnion(batch.map(\.id))
                } catch {
                    failure = error
                }
                batch = []
            }
            OutboxSalvageReader(database: database).readAll { row in
                batch.append(row)
                if batch.count == 500 { flush() }
            }
            flush()
            if let failure { throw failure }
        }
    }

    /// Copies the rows with the first page taken from a new database. That page says how to read the others, and is the
    /// same in every outbox database except for numbers that are not needed for reading.
    private static func copyWithNewFirstPage(
        from path: String, to store: OutboxStore, _ saved: inout Set<Int64>
    ) throws {
        let copy = path + ".repair"
        removeDatabase(copy)
        defer { removeDatabase(copy) }
        let size = OutboxSchema.pageSize
        guard var contents = try? FileContents.read(path, limit: 1 << 31), contents.count >= 2 * size,
            (try? store.checkpointNow()) != nil,
            let model = try? FileContents.read(store.path, limit: 1 << 31), model.count >= size
        else { return }
        contents.replaceSubrange(0..<size, with: model[0..<size])
        // Sets the number of pages and the absence of free ones, and makes both change counters equal, which marks the
        // number of pages as valid.
        for (place, byte) in UInt32(clamping: contents.count / size).bigEndianBytes.enumerated() {
            contents[28 + place] = byte
        }
        for offset in 32..<40 { contents[offset] = 0 }
        for offset in 0..<4 { contents[92 + offset] = contents[24 + offset] }
        try FileContents.replace(copy, with: contents, isPrivate: true)
        if let log = try? FileContents.read(path + "-wal", limit: 1 << 31) {
            try FileContents.replace(copy + "-wal", with: log, isPrivate: true)
        }
        try self.copy(from: copy, to: store, &saved)
    }
}

/// A reader of rows around the damaged parts of a database.
struct OutboxSalvageReader {
    let database: Database

    /// Reads all rows that match what was written.
    func readAll(_ body: (OutboxRow) -> Void) {
        var reached: Int64 = 0
        while let last = up(from: reached, body) {
            // Something after `last` cannot be read. Seeks the next readable row in growing steps, and from there reads
            // the skipped rows backwards.
            guard let next = seek(behind: last) else {
                down(from: .max, to: last, body)
                return
            }
            down(from: next, to: last, body)
            reached = next - 1
        }
    }

    /// Reads rows in ascending order.
    ///
    /// - Returns: the identifier after which reading fails; `nil` at the end.
    private func up(from start: Int64, _ body: (OutboxRow) -> Void) -> Int64? {
        var last = start
        do {
            let rows = try Row.fetchCursor(
                database, sql: "SELECT \(OutboxSchema.columns) FROM record WHERE id > ? ORDER BY id", arguments: [start]
            )
            while let row = try rows.next() {
                last = row[0]
                if let row = try OutboxTable.row(row) { body(row) }
            }
            return nil
        } catch {
            return last
        }
    }

    private func down(from end: Int64, to start: Int64, _ body: (OutboxRow) -> Void) {
        do {
            let rows = try Row.fetchCursor(
                database, sql: "SELECT \(OutboxSchema.columns) FROM record WHERE id > ? AND id < ? ORDER BY id DESC",
                arguments: [start, end])
            while let row = try rows.next() { if let row = try OutboxTable.row(row) { body(row) } }
        } catch {
            // The rows between cannot be read from either side.
        }
    }

    private func seek(behind last: Int64) -> Int64? {
        var step: Int64 = 1
        while step < 1 << 40 {
            let (start, isTooFar) = last.addingReportingOverflow(step)
            guard !isTooFar else { return nil }
            do {
                let sql = "SELECT \(OutboxSchema.columns) FROM record WHERE id > ? ORDER BY id LIMIT 1"
                return try Row.fetchOne(database, sql: sql, arguments: [start]).map { $0[0] }
            } catch {
                step *= 2
            }
        }
        return nil
    }
}

extension UInt32 {
    fileprivate var bigEndianBytes: [UInt8] { withUnsafeBytes(of: bigEndian) { Array($0) } }
}
