import Evidence
import Matching

extension InteractionStore {
    /// Whether any subject was heard in a period. If not, it is unknown whether a subject met nobody then.
    ///
    /// - Parameters:
    ///   - since: seconds since 1970.
    ///   - until: seconds since 1970.
    /// - Throws: `StoreError`.
    package func knowsAnybody(from since: Int64, to until: Int64) throws -> Bool {
        try database.read { session in
            if try session.hasReadings(from: since, to: until) { return true }
            let longest = try session.first("SELECT longest FROM extent") { $0.integer(0) } ?? 0
            return try session.first(
                "SELECT 1 FROM interaction WHERE started >= $1 AND started <= $2 AND ended >= $3 LIMIT 1",
                [.integer(since - longest), .integer(until), .integer(since)]
            ) { _ in true } ?? false
        }
    }

    /// Returns the period from the first to the last time a subject was heard, in seconds since 1970; `nil` if none
    /// was.
    ///
    /// - Throws: `StoreError`.
    package func span() throws -> ClosedRange<Int64>? {
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

    /// Returns the given subjects that were heard in a period, by their numbers.
    ///
    /// - Parameters:
    ///   - since: seconds since 1970.
    ///   - until: seconds since 1970.
    /// - Throws: `StoreError`.
    package func heard(_ subjects: Set<Int64>, from since: Int64, to until: Int64) throws -> Set<Int64> {
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
    /// Whether a receiver heard any subject in a minute that overlaps a period.
    fileprivate func hasReadings(from since: Int64, to until: Int64) throws -> Bool {
        let (first, last) = (ReadingBlock(containing: max(0, since)), ReadingBlock(containing: max(0, until)))
        let inner = [InteractionStore.bounds(first)[1], InteractionStore.bounds(last)[0]]
        if try self.first("SELECT 1 FROM vectors WHERE id >= $1 AND id < $2 LIMIT 1", inner, { _ in true }) ?? false {
            return true
        }
        var isHeard = false
        for block in Set([first, last]) {
            try query("SELECT content FROM vectors WHERE id >= $1 AND id < $2", InteractionStore.bounds(block)) { row in
                guard !isHeard, let vectors = BlockVectors(packed: row.blob(0)) else { return }
                isHeard = vectors.minutes.indices.contains { minute in
                    !vectors.minutes[minute].isEmpty && block.touches(minute, since, until)
                }
            }
        }
        return try isHeard || isInUnsettled(from: since, to: until) { !$0.isEmpty }
    }

    /// Whether a receiver heard a subject in a minute that overlaps a period.
    fileprivate func isInReadings(_ subject: Int64, from since: Int64, to until: Int64) throws -> Bool {
        for row in try readingRows(of: subject, in: "vectors") {
            let minutes = BlockVectors(packed: row.content)?.minutes ?? []
            if minutes.indices.contains(where: { !minutes[$0].isEmpty && row.key.block.touches($0, since, until) }) {
                return true
            }
        }
        return try isInUnsettled(from: since, to: until) { $0.contains { $0.number == subject } }
    }

    /// Whether unsettled readings contain wanted subjects in a minute that overlaps a period.
    private func isInUnsettled(
        from since: Int64, to until: Int64, _ areWanted: ([(number: Int64, code: HearingCode)]) -> Bool
    ) throws -> Bool {
        let (first, last) = (ReadingBlock(containing: max(0, since)), ReadingBlock(containing: max(0, until)))
        var isHeard = false
        try query(
            "SELECT block, content FROM reading WHERE block >= $1 AND block <= $2",
            [.integer(first.number), .integer(last.number)]
        ) { row in
            guard !isHeard, let content = ReadingRow(packed: row.blob(1)) else { return }
            let block = ReadingBlock(number: row.integer(0))
            isHeard = areWanted(content.subjects) && content.minuteNumbers.contains { block.touches($0, since, until) }
        }
        return isHeard
    }
}

extension ReadingBlock {
    /// Whether a minute, 0 to 14, overlaps a period in seconds since 1970.
    fileprivate func touches(_ minute: Int, _ since: Int64, _ until: Int64) -> Bool {
        start(ofMinute: minute) <= until && start(ofMinute: minute) + 60 > since
    }
}
