import GRDB
import Glibc
import Publishing

/// Writing of rows in transactions, so that records can still be deleted when the disk is full.
struct OutboxWriter: Sendable {
    /// The path of the database.
    let path: String
    /// The reserve; `nil` for a database that is built to replace another.
    let reserve: OutboxReserve?

    /// Writes and deletes rows, the deletions first. When this throws, all of `deletes` and a part of `inserts` may
    /// have been applied.
    func write(_ database: Database, inserts: [OutboxRow], deletes: [Int64]) throws {
        var deletes = deletes
        var rest = inserts[...]
        func writeRest() throws {
            repeat {
                let chunk = rest.prefix(try chunkLength(database, rest))
                try OutboxTable.apply(database, inserts: Array(chunk), deletes: deletes)
                deletes = []
                rest = rest.dropFirst(chunk.count)
            } while !rest.isEmpty
        }
        do {
            try writeRest()
        } catch  where OutboxStore.isOutOfSpace(error) {
            try spendReserve(database, deletes: deletes, inserts: &rest)
            deletes = []
            if !rest.isEmpty { try writeRest() }
        }
        compact(database)
    }

    /// Moves the write-ahead log into the database, with the space of the reserve if necessary.
    func checkpoint(_ database: Database) throws {
        do {
            _ = try database.checkpoint(.truncate)
        } catch  where OutboxStore.isOutOfSpace(error) {
            guard let reserve else { throw error }
            let size = reserve.release()
            defer { reserve.retake(size) }
            _ = try database.checkpoint(.truncate)
        }
    }

    /// Returns the number of rows for the next transaction, limited so that the reserve can take it into the database.
    ///
    /// - Throws: `DatabaseError` with `SQLITE_FULL` if the reserve would not suffice.
    private func chunkLength(_ database: Database, _ rows: ArraySlice<OutboxRow>) throws -> Int {
        guard !rows.isEmpty, let held = reserve?.take() else { return rows.count }
        if OutboxReserveRules.isLogTooLong(growth: try growth(database), reserve: held) {
            _ = try? database.checkpoint(.truncate)
        }
        guard OutboxReserveRules.suffices(held),
            !OutboxReserveRules.isLogTooLong(growth: try growth(database), reserve: held)
        else { throw DatabaseError(resultCode: .SQLITE_FULL, message: "database or disk is full") }
        return OutboxReserveRules.rowsPerTransaction(rows, reserve: held)
    }

    /// Returns the bytes by which the database grows when the write-ahead log is moved into it.
    private func growth(_ database: Database) throws -> Int {
        let pages = try Int.fetchOne(database.cachedStatement(sql: "PRAGMA page_count")) ?? 0
        var status = stat()
        guard stat(path, &status) == 0 else { return 0 }
        return pages * OutboxSchema.pageSize - Int(status.st_size)
    }

    private func freePages(_ database: Database) throws -> Int {
        try Int.fetchOne(database.cachedStatement(sql: "PRAGMA freelist_count")) ?? 0
    }

    /// Deletes with the space of the reserve, which is taken back afterwards. Also writes what fits into free pages,
    /// since that does not lengthen the database.
    private func spendReserve(
        _ database: Database, deletes: [Int64], inserts rest: inout ArraySlice<OutboxRow>
    ) throws {
        _ = try? database.checkpoint(.truncate)
        guard let reserve else { return }
        let hasRoom = try !rest.isEmpty && OutboxReserveRules.hasRoom(inFreePages: freePages(database))
        guard try hasRoom || !deletes.isEmpty || growth(database) > 0 else { return }
        let size = reserve.release()
        defer { reserve.retake(size) }
        _ = try? database.checkpoint(.truncate)
        let step = OutboxReserveRules.deletionsPerTransaction(reserve: size)
        for start in stride(from: 0, to: deletes.count, by: step) {
            let batch = Array(deletes[start..<min(start + step, deletes.count)])
            try OutboxTable.apply(database, inserts: [], deletes: batch)
            _ = try? database.checkpoint(.truncate)
        }
        compact(database)
        while !rest.isEmpty, try growth(database) == 0 {
            let count = OutboxReserveRules.rows(rest, inFreePages: try freePages(database), reserve: size)
            guard count > 0 else { return }
            try OutboxTable.apply(database, inserts: Array(rest.prefix(count)), deletes: [])
            rest = rest.dropFirst(count)
            _ = try? database.checkpoint(.truncate)
        }
    }

    /// Returns disk space to the file system after an outage, once nearly all records are delivered and there is little
    /// to copy.
    private func compact(_ database: Database) {
        guard let pages = pages(database),
            OutboxReserveRules.isWorthCompacting(
                pages: pages.used + pages.free, freePages: pages.free, reserve: reserve?.bytes ?? 0)
        else { return }
        // A failure here is retried after another transaction.
        try? database.execute(sql: "VACUUM")
        _ = try? database.checkpoint(.truncate)
    }

    /// Returns the number of used and of free pages in the database; `nil` if it cannot be read.
    func pages(_ database: Database) -> (used: Int, free: Int)? {
        guard let all = try? Int.fetchOne(database.cachedStatement(sql: "PRAGMA page_count")),
            let free = try? freePages(database)
        else { return nil }
        return (used: all - free, free: free)
    }
}
