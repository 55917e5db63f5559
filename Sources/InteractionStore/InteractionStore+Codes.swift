/// Verification codes.
extension InteractionStore {
    /// Maximum number of codes that can be used: each makes a guess likelier.
    package static let mostCodes = 10_000

    /// Stores codes, and who issued them. Codes that have expired make room.
    ///
    /// - Parameters:
    ///   - entry: entry of the audit.
    ///   - now: seconds since 1970.
    /// - Returns: the hashes that were stored: those that there are already are left out; `nil` if there would be more
    ///   than `mostCodes`, and nothing was stored.
    /// - Throws: `StoreError`.
    package func issue(codes: [IssuedCode], audit entry: AuditEntry, now: Int64) throws -> Set<String>? {
        try database.write { sql in
            try sql.lockShared()
            try sql.removeCodes(expiredAt: now)
            let count = try sql.first("SELECT count(*) FROM verification_code") { $0.integer(0) } ?? 0
            guard count + Int64(codes.count) <= Int64(Self.mostCodes) else { return nil }
            var stored: Set<String> = []
            for code in codes {
                let rows = try sql.execute(
                    "INSERT INTO verification_code (hash, expires, is_long, test, onset, issued, issuer) "
                        + "VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT (hash) DO NOTHING",
                    [
                        .text(code.hash), .integer(code.expires), .integer(code.isLong ? 1 : 0), .integer(code.test),
                        .integer(code.onset), .integer(code.issued), .text(code.issuer),
                    ])
                if rows == 1 { stored.insert(code.hash) }
            }
            try sql.note(entry)
            return stored
        }
    }

    /// Removes and returns a code: each can be used once.
    ///
    /// - Parameter now: seconds since 1970.
    /// - Returns: `nil` if there is no code with this hash, or it has expired.
    /// - Throws: `StoreError`.
    package func take(code hash: String, now: Int64) throws -> IssuedCode? {
        try database.write { sql in
            try sql.lockShared()
            return try sql.take(code: hash, now: now)
        }
    }

    /// Returns how many codes can be used.
    ///
    /// - Parameter now: seconds since 1970.
    /// - Throws: `StoreError`.
    package func openCodes(now: Int64) throws -> (short: Int, long: Int) {
        try database.read { sql in
            var counts: [Int64: Int] = [:]
            try sql.query(
                "SELECT is_long, count(*) FROM verification_code WHERE expires > $1 GROUP BY is_long",
                [.integer(now)]
            ) { counts[$0.integer(0)] = Int($0.integer(1)) }
            return (counts[0] ?? 0, counts[1] ?? 0)
        }
    }
}

extension SQLSession {
    /// Removes and returns a code; `nil` if there is none with this hash, or it has expired.
    func take(code hash: String, now: Int64) throws -> IssuedCode? {
        try first(
            "DELETE FROM verification_code WHERE hash = $1 AND expires > $2 "
                + "RETURNING is_long, test, onset, issued, expires, issuer", [.text(hash), .integer(now)]
        ) { $0.issuedCode(hash) }
    }

    /// Returns a code that can be used; `nil` if there is none with this hash, or it has expired.
    func openCode(_ hash: String, now: Int64) throws -> IssuedCode? {
        try first(
            "SELECT is_long, test, onset, issued, expires, issuer FROM verification_code "
                + "WHERE hash = $1 AND expires > $2", [.text(hash), .integer(now)]
        ) { $0.issuedCode(hash) }
    }

    /// Removes codes that have expired.
    ///
    /// - Parameter now: seconds since 1970.
    func removeCodes(expiredAt now: Int64) throws {
        try execute("DELETE FROM verification_code WHERE expires <= $1", [.integer(now)])
    }
}

extension SQLRow {
    fileprivate func issuedCode(_ hash: String) -> IssuedCode {
        IssuedCode(
            hash: hash, isLong: integer(0) == 1, test: integer(1), onset: optionalInteger(2), issued: integer(3),
            expires: integer(4), issuer: text(5) ?? "")
    }
}
