import Matching

extension InteractionStore {
    /// Whether anybody at all was heard in a time: without that, that somebody met nobody then isn't known.
    ///
    /// - Parameters:
    ///   - since: seconds since 1970.
    ///   - until: the same.
    /// - Throws: `StoreError`.
    public func knowsAnybody(from since: Int64, to until: Int64) throws -> Bool {
        try database.read { session in
            let (first, last) = (ReadingBlock(containing: max(0, since)), ReadingBlock(containing: max(0, until)))
            let bounds = [Self.bounds(first)[0], Self.bounds(last)[1]]
            if try session.first("SELECT 1 FROM vectors WHERE id >= $1 AND id < $2 LIMIT 1", bounds, { _ in true })
                ?? false
            {
                return true
            }
            let waits = try session.first(
                "SELECT 1 FROM reading WHERE block >= $1 AND block <= $2 AND length(content) > $3 LIMIT 1",
                [.integer(first.number), .integer(last.number), .integer(Int64(ReadingRow.lengthOfNobody))]
            ) { _ in true }
            if waits ?? false { return true }
            let longest = try session.first("SELECT longest FROM extent") { $0.integer(0) } ?? 0
            return try session.first(
                "SELECT 1 FROM interaction WHERE started >= $1 AND started <= $2 AND ended >= $3 LIMIT 1",
                [.integer(since - longest), .integer(until), .integer(since)]
            ) { _ in true } ?? false
        }
    }

    /// From when to when somebody was heard, in seconds since 1970; `nil` when nobody was.
    ///
    /// - Throws: `StoreError`.
    public func span() throws -> ClosedRange<Int64>? {
        try database.read { session in
            var times: [Int64] = []
            try session.query("SELECT count(*), min(started), max(ended) FROM interaction") { row in
                if row.integer(0) > 0 { times += [row.integer(1), row.integer(2)] }
            }
            try session.query("SELECT count(*), min(id), max(id) FROM vectors") { row in
                guard row.integer(0) > 0 else { return }
                times += [
                    ReadingKey(rawValue: row.integer(1)).block.start, ReadingKey(rawValue: row.integer(2)).block.end,
                ]
            }
            try session.query(
                "SELECT count(*), min(block), max(block) FROM reading WHERE length(content) > $1",
                [.integer(Int64(ReadingRow.lengthOfNobody))]
            ) { row in
                guard row.integer(0) > 0 else { return }
                times += [ReadingBlock(number: row.integer(1)).start, ReadingBlock(number: row.integer(2)).end]
            }
            guard let first = times.min(), let last = times.max() else { return nil }
            return first...last
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
                let interacted = try session.first(
                    "SELECT 1 FROM interaction i WHERE \(StoreSchema.isOfSubject("i", "$1", session.dialect)) "
                        + "AND i.started <= $2 AND i.ended >= $3 LIMIT 1",
                    [.integer(subject), .integer(until), .integer(since)]
                ) { _ in true }
                return try interacted ?? session.isInReadings(subject, from: since, to: until)
            }
        }
    }
}

extension SQLSession {
    /// Whether a receiver heard a subject in a minute that touches a time.
    fileprivate func isInReadings(_ subject: Int64, from since: Int64, to until: Int64) throws -> Bool {
        func touches(_ block: ReadingBlock, _ minute: Int) -> Bool {
            let start = block.start(ofMinute: minute)
            return start <= until && start + 60 > since
        }
        for row in try readingRows(of: subject, in: "vectors") {
            let minutes = BlockVectors(packed: row.content)?.minutes ?? []
            if minutes.indices.contains(where: { !minutes[$0].isEmpty && touches(row.key.block, $0) }) { return true }
        }
        var isHeard = false
        let (first, last) = (ReadingBlock(containing: max(0, since)), ReadingBlock(containing: max(0, until)))
        try query(
            "SELECT block, content FROM reading WHERE block >= $1 AND block <= $2",
            [.integer(first.number), .integer(last.number)]
        ) { row in
            guard !isHeard, let content = ReadingRow(packed: row.blob(1)) else { return }
            let block = ReadingBlock(number: row.integer(0))
            isHeard =
                content.subjects.contains { $0.number == subject }
                && content.minuteNumbers.contains { touches(block, $0) }
        }
        return isHeard
    }
}
