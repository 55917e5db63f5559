package import Matching

extension InteractionStore {
    /// What a phone committed itself to: a hash of the codes that it says on a day.
    package struct CodeCommitment: Hashable, Sendable {
        /// Since 1970.
        package var day: Int64
        package var hash: String

        package init(day: Int64, hash: String) {
            self.day = day
            self.hash = hash
        }
    }

    /// Registers what a phone commits itself to. The same again changes nothing.
    ///
    /// - Parameters:
    ///   - limit: how many a phone may have of one day.
    ///   - now: seconds since 1970.
    /// - Returns: when it was registered first, in seconds since 1970; `nil` when the phone has as many as it may.
    /// - Throws: `StoreError`.
    package func commit(
        _ commitment: CodeCommitment, of phone: SubjectIdentity, limit: Int, now: Int64
    ) throws -> Int64? {
        try database.write { session in
            // Of several at once each has to see those before it.
            try session.lockExclusively()
            let name: [SQLValue] = [.text(phone.id), .integer(commitment.day)]
            let known = try session.first(
                "SELECT at FROM code_commitment WHERE phone = $1 AND day = $2 AND hash = $3",
                name + [.text(commitment.hash)]
            ) { $0.integer(0) }
            if let known { return known }
            let count = try session.first("SELECT count(*) FROM code_commitment WHERE phone = $1 AND day = $2", name) {
                Int($0.integer(0))
            }
            guard count ?? 0 < limit else { return nil }
            try session.execute(
                "INSERT INTO code_commitment (phone, day, hash, at) VALUES ($1, $2, $3, $4)",
                name + [.text(commitment.hash), .integer(now)])
            return now
        }
    }

    /// When phones registered what they committed themselves to, the first time each, in seconds since 1970.
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
