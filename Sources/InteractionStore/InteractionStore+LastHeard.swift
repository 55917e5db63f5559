import Evidence
package import Matching

/// Facts that people are told of their own badges and phones, beside their exposures.
extension InteractionStore {
    /// Returns when subjects were last heard, in seconds since 1970: to the second by interactions, to a quarter of an
    /// hour by settled readings. Subjects that were not heard, as far as is still stored, are left out.
    ///
    /// - Parameter now: seconds since 1970; what a clock that was ahead has reported as later does not count.
    /// - Throws: `StoreError`.
    package func lastHeard(of subjects: Set<SubjectIdentity>, now: Int64) throws -> [SubjectIdentity: Int64] {
        let numbers = try numbers(of: subjects.sorted())
        return try database.read { session in
            let known = try session.readingBlocks([])
            var heard: [SubjectIdentity: Int64] = [:]
            for (subject, number) in numbers {
                let ended =
                    try session.first(
                        "SELECT max(i.ended) FROM interaction i "
                            + "WHERE \(StoreSchema.isOfSubject("i", "$1", session.dialect)) AND i.started <= $2",
                        [.integer(number), .integer(now)]
                    ) { $0.optionalInteger(0) } ?? nil
                var latest = ended.map { min($0, now) }
                if let known {
                    // Only readings after the last interaction can tell more.
                    let first = max(known.lowerBound, ReadingBlock(containing: latest ?? 0))
                    let last = min(known.upperBound, ReadingBlock(containing: now))
                    let blocks = first <= last ? Array(first.number...last.number) : []
                    let keys = blocks.map { ReadingKey(ReadingBlock(number: $0), number).rawValue }
                    try session.rows("vectors", keys) { row in
                        latest = max(latest ?? 0, ReadingKey(rawValue: row.integer(0)).block.start)
                    }
                }
                if let latest { heard[subject] = latest }
            }
            return heard
        }
    }

    /// Returns when what subjects are told of their exposures last changed, in seconds since 1970. Subjects without
    /// exposures are left out.
    ///
    /// - Throws: `StoreError`.
    package func noticesChanged(of subjects: Set<SubjectIdentity>) throws -> [SubjectIdentity: Int64] {
        try database.read { session in
            var changed: [SubjectIdentity: Int64] = [:]
            for subject in subjects.sorted() {
                changed[subject] = try session.first(
                    "SELECT changed FROM notice WHERE name = $1 AND kind = $2 AND changed > 0 "
                        + "AND \(NoticeColumns.isPresent)",
                    [.text(subject.id), .text(subject.kind)]
                ) { $0.integer(0) }
            }
            return changed
        }
    }

    /// Returns when a notice of some subjects last changed, in seconds since 1970; 0 if none did. A notice that was
    /// withdrawn counts too.
    ///
    /// - Throws: `StoreError`.
    package func latestNoticeChange(of subjects: Set<SubjectIdentity>) throws -> Int64 {
        try database.read { session in
            try subjects.reduce(0) { latest, subject in
                let changed = try session.first(
                    "SELECT changed FROM notice WHERE name = $1 AND kind = $2",
                    [.text(subject.id), .text(subject.kind)]
                ) { $0.integer(0) }
                return max(latest, changed ?? 0)
            }
        }
    }
}
