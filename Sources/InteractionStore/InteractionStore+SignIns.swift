package import SignIn

/// Sign-ins in progress, and one-time links.
extension InteractionStore {
    /// Maximum number of sign-ins in progress: anybody can begin one.
    package static let mostSignIns: Int64 = 10_000

    /// Stores a sign-in that starts. When there are too many, the oldest ones cannot be completed any more.
    ///
    /// - Throws: `StoreError`.
    package func start(_ attempt: AuthorizationAttempt) throws {
        try database.write { sql in
            try sql.execute(
                "INSERT INTO sign_in (state, nonce, verifier, binding, destination, started) "
                    + "VALUES ($1, $2, $3, $4, $5, $6)",
                [
                    .text(attempt.state), .text(attempt.nonce), .text(attempt.verifier), .text(attempt.binding),
                    .text(attempt.returnPath), .integer(attempt.started),
                ])
            let count = try sql.first("SELECT count(*) FROM sign_in") { $0.integer(0) } ?? 0
            if count > Self.mostSignIns {
                try sql.execute(
                    "DELETE FROM sign_in WHERE state IN (SELECT state FROM sign_in ORDER BY started LIMIT $1)",
                    [.integer(count - Self.mostSignIns)])
            }
        }
    }

    /// Removes and returns a sign-in in progress: each can be completed once.
    ///
    /// - Returns: `nil` if there is none with this `state`.
    /// - Throws: `StoreError`.
    package func takeAttempt(state: String) throws -> AuthorizationAttempt? {
        try database.write { sql in
            try sql.first(
                "DELETE FROM sign_in WHERE state = $1 RETURNING nonce, verifier, binding, destination, started",
                [.text(state)]
            ) { row in
                AuthorizationAttempt(
                    state: state, nonce: row.text(0) ?? "", verifier: row.text(1) ?? "", binding: row.text(2) ?? "",
                    returnPath: row.text(3) ?? "/", started: row.integer(4))
            }
        }
    }

    /// Stores a one-time link.
    ///
    /// - Parameters:
    ///   - hash: hash of the link's secret.
    ///   - expires: seconds since 1970.
    ///   - entry: entry of the audit, which is stored in the same transaction.
    /// - Throws: `StoreError`.
    package func add(
        link hash: String, for account: Account, expires: Int64, audit entry: AuditEntry? = nil
    ) throws {
        _ = try database.write { sql in
            try sql.lockShared()
            try sql.note(entry)
            return try sql.execute(
                "INSERT INTO sign_in_link (hash, name, number, roles, expires) VALUES ($1, $2, $3, $4, $5)",
                [
                    .text(hash), .text(account.name), .text(account.number), .text(account.storedRoles),
                    .integer(expires),
                ])
        }
    }

    /// Uses a one-time link up.
    ///
    /// - Returns: the account; `nil` if the link was used, has expired or never existed.
    /// - Throws: `StoreError`.
    package func take(link hash: String, now: Int64) throws -> Account? {
        try database.write { sql in
            try sql.first(
                "DELETE FROM sign_in_link WHERE hash = $1 RETURNING name, number, roles, expires", [.text(hash)]
            ) { row -> Account? in
                guard row.integer(3) > now else { return nil }
                let name = row.text(0) ?? ""
                return Account(
                    issuer: Account.local, subject: name, name: name, number: row.text(1),
                    roles: Account.roles(stored: row.text(2)))
            } ?? nil
        }
    }
}
