/// Sizes of the reserve of disk space, and of the transactions that it permits.
///
/// All sizes are in bytes unless they are numbers of pages.
package enum OutboxReserveRules {
    /// Maximum size. The write-ahead log and its transfer into the database need this much.
    package static let largest = 8 << 20
    /// Minimum size. With less, records are not written.
    package static let smallest = 128 << 10
    /// Unit in which the reserve grows.
    package static let unit = 64 << 10

    /// Free pages that splitting the table's inner pages may need, in addition to the pages for the rows.
    private static let spareFreePages = 2
    /// Pages in use up to which the database is compacted.
    private static let compactPages = 64

    /// Returns the size to set aside: up to `largest`, but no more than an eighth of the file system and half of the
    /// remaining space.
    ///
    /// - Parameters:
    ///   - held: the size that is set aside already.
    ///   - available: the size that is free in the file system.
    ///   - total: the size of the file system.
    package static func wanted(held: Int, available: Int, total: Int) -> Int {
        max(smallest, min(largest, total / 8, (held + available) / 2)) / unit * unit
    }

    /// Whether the write-ahead log must be moved into the database before more is written.
    ///
    /// - Parameters:
    ///   - growth: the size by which the database grows when the log is moved into it.
    ///   - reserve: the size of the reserve.
    package static func isLogTooLong(growth: Int, reserve: Int) -> Bool { growth > reserve / 2 }

    /// Whether a reserve of this size suffices for writing records.
    package static func suffices(_ reserve: Int) -> Bool { reserve >= smallest }

    /// Returns the number of rows for a transaction whose log the reserve can take into the database, at least 1 if
    /// there are any.
    package static func rowsPerTransaction(_ rows: ArraySlice<OutboxRow>, reserve: Int) -> Int {
        guard let first = rows.first else { return 0 }
        var bytes = first.payload.count + OutboxSchema.pageSize
        return 1
            + rows.dropFirst().prefix { row in
                bytes += OutboxLedger.cost(topic: row.topic, payload: row.payload.count)
                return bytes <= reserve / 4
            }.count
    }

    /// Returns the number of deletions for a transaction that has only the space of the reserve. Each deletion changes
    /// a few pages, and the log of a transaction must fit into half of the reserve.
    package static func deletionsPerTransaction(reserve: Int) -> Int { max(4, reserve / (8 * OutboxSchema.pageSize)) }

    /// Whether rows can be written into the free pages of the database, which does not lengthen it.
    package static func hasRoom(inFreePages pages: Int) -> Bool { pages > spareFreePages }

    /// Returns the number of rows for a transaction that fits into the free pages of the database, and whose log fits
    /// into the reserve.
    package static func rows(
        _ rows: ArraySlice<OutboxRow>, inFreePages pages: Int, reserve: Int
    ) -> Int {
        let limit = min(reserve / 4, (pages - spareFreePages) * OutboxSchema.pageSize / 2)
        var bytes = 0
        return rows.prefix { row in
            bytes += OutboxLedger.cost(topic: row.topic, payload: row.payload.count)
            return bytes <= limit
        }.count
    }

    /// Whether compacting the database returns much space to the file system and copies little.
    ///
    /// - Parameters:
    ///   - pages: the number of pages of the database, including `freePages`.
    ///   - reserve: the size of the reserve.
    package static func isWorthCompacting(pages: Int, freePages: Int, reserve: Int) -> Bool {
        let worthwhile = max(smallest, min(reserve, largest) / 2)
        return freePages * OutboxSchema.pageSize > worthwhile && pages - freePages <= compactPages
    }
}
