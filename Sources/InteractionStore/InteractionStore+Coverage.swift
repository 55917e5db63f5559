extension InteractionStore {
    /// Whether anybody at all was heard in a time: without that, that somebody met nobody then isn't known.
    ///
    /// - Parameters:
    ///   - since: seconds since 1970.
    ///   - until: the same.
    /// - Throws: `StoreError`.
    public func hasInteractions(from since: Int64, to until: Int64) throws -> Bool {
        try database.read { session in
            let longest = try session.first("SELECT longest FROM extent") { $0.integer(0) } ?? 0
            return try session.first(
                "SELECT 1 FROM interaction WHERE started >= $1 AND started <= $2 AND ended >= $3 LIMIT 1",
                [.integer(since - longest), .integer(until), .integer(since)]
            ) { _ in true } ?? false
        }
    }

    /// From when to when there are interactions, in seconds since 1970; `nil` when there are none.
    ///
    /// - Throws: `StoreError`.
    public func span() throws -> ClosedRange<Int64>? {
        try database.read { session in
            try session.first("SELECT count(*), min(started), max(ended) FROM interaction") { row in
                row.integer(0) > 0 ? row.integer(1)...max(row.integer(1), row.integer(2)) : nil
            } ?? nil
        }
    }

    /// Those of some subjects, by their numbers, who were heard in a time.
    ///
    /// - Parameters:
    ///   - since: seconds since 1970.
    ///   - until: the same.
    /// - Throws: `StoreError`.
    public func heard(_ subjects: Set<Int64>, from since: Int64, to until: Int64) throws -> Set<Int64> {
        try database.read { session in
            try subjects.filter { subject in
                try session.first(
                    "SELECT 1 FROM interaction i WHERE \(StoreSchema.isOfSubject("i", "$1", session.dialect)) "
                        + "AND i.started <= $2 AND i.ended >= $3 LIMIT 1",
                    [.integer(subject), .integer(until), .integer(since)]
                ) { _ in true } ?? false
            }
        }
    }
}
