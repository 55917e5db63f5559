package import SignIn

/// Sessions of people who signed in on the page.
extension InteractionStore {
    /// Number of seconds for which the time of the last request is not written again.
    package static let sessionRenewal: Int64 = 60
    /// Maximum number of sessions of one account. The least recently used one ends when another begins.
    package static let mostSessions = 20

    private static let sessionColumns = "hash, issuer, subject, name, number, roles, created, used"

    /// Stores a new session.
    ///
    /// - Throws: `StoreError`.
    package func begin(_ session: StoredSession) throws {
        let account = session.account
        try database.write { sql in
            try sql.execute(
                "INSERT INTO session (\(Self.sessionColumns)) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)",
                [
                    .text(session.hash), .text(account.issuer), .text(account.subject), .text(account.name),
                    .text(account.number), .text(account.storedRoles), .integer(session.created),
                    .integer(session.used),
                ])
            // The new one stays, whatever the times of the others.
            try sql.execute(
                "DELETE FROM session WHERE issuer = $1 AND subject = $2 AND hash <> $3 AND hash NOT IN (SELECT hash "
                    + "FROM session WHERE issuer = $1 AND subject = $2 AND hash <> $3 ORDER BY used DESC, created DESC "
                    + "LIMIT \(Self.mostSessions - 1))",
                [.text(account.issuer), .text(account.subject), .text(session.hash)])
        }
    }

    /// Returns the session with a hash; `nil` if there is none.
    ///
    /// - Throws: `StoreError`.
    package func session(hash: String) throws -> StoredSession? {
        try database.read { sql in
            try sql.first(
                "SELECT \(Self.sessionColumns) FROM session WHERE hash = $1", [.text(hash)], Self.session)
        }
    }

    /// Returns all sessions, the one that was used last first.
    ///
    /// - Throws: `StoreError`.
    package func sessions() throws -> [StoredSession] {
        try database.read { sql in
            var sessions: [StoredSession] = []
            try sql.query("SELECT \(Self.sessionColumns) FROM session ORDER BY used DESC, hash") {
                sessions.append(Self.session($0))
            }
            return sessions
        }
    }

    /// Notes that a session was used.
    ///
    /// - Throws: `StoreError`.
    package func renew(session hash: String, now: Int64) throws {
        _ = try database.write { sql in
            try sql.execute(
                "UPDATE session SET used = $2 WHERE hash = $1 AND used < $2", [.text(hash), .integer(now)])
        }
    }

    /// Ends a session.
    ///
    /// - Throws: `StoreError`.
    package func end(session hash: String) throws {
        _ = try database.write { sql in try sql.execute("DELETE FROM session WHERE hash = $1", [.text(hash)]) }
    }

    /// Ends all sessions, or those of the accounts with an identifier (`sub`) or a student or staff number.
    ///
    /// - Parameter entry: entry of the audit, which is stored in the same transaction if sessions end.
    /// - Returns: the number of sessions.
    /// - Throws: `StoreError`.
    package func endSessions(of who: String? = nil, audit entry: AuditEntry? = nil) throws -> Int {
        try database.write { sql in
            try sql.lockShared()
            let count =
                if let who {
                    try sql.execute("DELETE FROM session WHERE subject = $1 OR number = $1", [.text(who)])
                } else {
                    try sql.execute("DELETE FROM session")
                }
            if count > 0 { try sql.note(entry) }
            return count
        }
    }

    /// Deletes sessions that are over, and sign-ins that were not completed.
    ///
    /// - Throws: `StoreError`.
    package func removeOldSessions(policy: SessionPolicy, now: Int64) throws {
        let over = try sessions().filter {
            policy.isOver(created: $0.created, used: $0.used, roles: $0.account.roles, now: now)
        }
        try database.write { sql in
            for session in over {
                try sql.execute(
                    "DELETE FROM session WHERE hash = $1 AND used = $2", [.text(session.hash), .integer(session.used)])
            }
            try sql.execute("DELETE FROM sign_in_link WHERE expires <= $1", [.integer(now)])
            try sql.execute(
                "DELETE FROM sign_in WHERE started <= $1", [.integer(now - AuthorizationAttempt.lifetime)])
        }
    }

    private static func session(_ row: SQLRow) -> StoredSession {
        StoredSession(
            hash: row.text(0) ?? "",
            account: Account(
                issuer: row.text(1) ?? "", subject: row.text(2) ?? "", name: row.text(3) ?? "", number: row.text(4),
                roles: Account.roles(stored: row.text(5))),
            created: row.integer(6), used: row.integer(7))
    }
}
