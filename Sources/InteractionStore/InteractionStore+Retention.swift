extension InteractionStore {
    /// What was deleted.
    public struct Deletion: Equatable, Sendable {
        public var interactions = 0
        public var subjects = 0
    }

    /// Deletes interactions that are older than they are kept, and subjects that weren't seen since.
    ///
    /// - Parameters:
    ///   - days: for how long they are kept.
    ///   - now: seconds since 1970.
    /// - Throws: `StoreError`.
    public func enforceRetention(days: Int64, now: Int64) throws -> Deletion {
        let limit = now - days * Self.day
        var deletion = Deletion()
        let places: [Int64] = try database.read { session in
            var places: [Int64] = []
            try session.query("SELECT id FROM place ORDER BY id") { places.append($0.integer(0)) }
            return places
        }
        deletion.interactions += try dropDays(before: limit)
        // A few places at a time, so that nobody waits long.
        for start in stride(from: 0, to: places.count, by: 200) {
            deletion.interactions += try database.write { session in
                try session.lockShared()
                return try places[start..<min(start + 200, places.count)].reduce(0) { count, place in
                    try count
                        + session.execute(
                            "DELETE FROM interaction WHERE place = $1 AND started < $2 AND ended < $2",
                            [.integer(place), .integer(limit)])
                }
            }
        }
        deletion.subjects = try database.write { session in
            try session.lockExclusively()
            try session.execute("DELETE FROM erased WHERE at < $1", [.integer(limit)])
            // Who stores an interaction says every few days that the subject is still there.
            return try session.execute(
                "DELETE FROM subject WHERE seen < $1 AND is_fixed = 0",
                [.integer(limit / Self.day - NameNumbers.renewal)])
        }
        return deletion
    }

    private func dropDays(before limit: Int64) throws -> Int {
        let days: [Int64] = try database.read { session in
            guard session.dialect == .postgreSQL else { return [] }
            var days: [Int64] = []
            try session.query(
                """
                SELECT substr(c.relname, length('interaction_') + 1)::bigint FROM pg_inherits i \
                JOIN pg_class c ON c.oid = i.inhrelid JOIN pg_class p ON p.oid = i.inhparent \
                WHERE p.relname = 'interaction' AND c.relname ~ '^interaction_[0-9]+$'
                """
            ) { days.append($0.integer(0)) }
            return days
        }
        var count = 0
        // The day after the last that begins in it may hold what is kept still.
        for day in days where (day + 2) * Self.day <= limit {
            count += try database.write { session in
                try session.lockExclusively()
                let rows = try session.first("SELECT count(*) FROM interaction_\(day)") { $0.integer(0) } ?? 0
                try session.execute("DROP TABLE interaction_\(day)")
                return Int(rows)
            }
            forgetPartition(day)
        }
        return count
    }
}
