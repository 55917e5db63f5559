package import Matching

extension InteractionStore {
    /// Registers a phone's commitment. Repeating it changes nothing.
    ///
    /// - Parameters:
    ///   - limit: maximum number of commitments of a phone for one day.
    ///   - now: seconds since 1970.
    /// - Returns: the time of the first registration, in seconds since 1970; `nil` when the phone has reached the
    ///   limit.
    /// - Throws: `StoreError`.
    package func commit(
        _ commitment: CodeCommitment, of phone: SubjectIdentity, limit: Int, now: Int64
    ) throws -> Int64? {
        try database.write { session in
            // Of several commitments at once, each must see the earlier ones.
            try session.lockExclusively()
            let name: [SQLValue] = [.text(phone.id), .integer(commitment.day)]
            let known = try session.first(
                "SELECT at FROM code_commitment WHERE phone = $1 AND day = $2 AND hash = $3",
                name + [.text(commitment.hash)]
            ) { $0.integer(0) }
            if let known { return known }
            let count = try session.count("SELECT count(*) FROM code_commitment WHERE phone = $1 AND day = $2", name)
            guard count < limit else { return nil }
            try session.execute(
                "INSERT INTO code_commitment (phone, day, hash, at) VALUES ($1, $2, $3, $4)",
                name + [.text(commitment.hash), .integer(now)])
            return now
        }
    }

    /// Returns the times at which phones first registered their commitments, in seconds since 1970.
    ///
    /// - Throws: `StoreError`.
    package func commitments(of phones: [SubjectIdentity]) throws -> [CodeCommitment: Int64] {
        try database.read { session in
            var times: [CodeCommitment: Int64] = [:]
            for phone in phones {
                try session.query(
                    "SELECT day, hash, at FROM code_commitment WHERE phone = $1", [.text(phone.id)]
                ) { row in
                    let commitment = CodeCommitment(day: row.integer(0), hash: row.text(1) ?? "")
                    times[commitment] = min(times[commitment] ?? .max, row.integer(2))
                }
            }
            return times
        }
    }
}
