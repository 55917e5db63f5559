import SignIn

/// Audit of the page.
extension InteractionStore {
    /// Stores an entry.
    ///
    /// - Throws: `StoreError`.
    package func note(_ entry: AuditEntry) throws {
        try database.write { sql in try sql.note(entry) }
    }

    /// Whether there is an entry about an action on an object.
    ///
    /// - Throws: `StoreError`.
    package func hasNoted(_ action: AuditEntry.Action, _ object: String) throws -> Bool {
        try database.read { sql in
            try sql.first(
                "SELECT id FROM audit WHERE action = $1 AND object = $2 LIMIT 1",
                [.text(action.rawValue), .text(object)]
            ) { $0.integer(0) } != nil
        }
    }

    /// Returns entries, the latest first.
    ///
    /// - Parameters:
    ///   - before: only entries with a smaller number; `nil` for the latest.
    ///   - text: only entries with this text in the name, the object or the action, in capitals or not.
    ///   - limit: maximum number of entries.
    /// - Throws: `StoreError`.
    package func audit(
        before: Int64? = nil, containing text: String? = nil, limit: Int
    ) throws -> [(number: Int64, entry: AuditEntry)] {
        try database.read { sql in
            var entries: [(number: Int64, entry: AuditEntry)] = []
            let pattern = text.map { SQLPattern.containing($0) }
            try sql.query(
                "SELECT id, at, issuer, subject, name, action, object, detail FROM audit WHERE id < $1 "
                    + "AND (CAST($2 AS TEXT) IS NULL OR lower(name || ' ' || object || ' ' || action) "
                    + "LIKE CAST($2 AS TEXT) ESCAPE '\\') ORDER BY id DESC LIMIT $3",
                [.integer(before ?? .max), .text(pattern), .integer(Int64(limit))]
            ) { row in
                guard let action = AuditEntry.Action(rawValue: row.text(5) ?? "") else { return }
                var entry = AuditEntry(
                    at: row.integer(1),
                    account: Account(
                        issuer: row.text(2) ?? "", subject: row.text(3) ?? "", name: row.text(4) ?? "", roles: []),
                    action: action, object: row.text(6) ?? "")
                entry.detail = row.text(7) ?? ""
                entries.append((row.integer(0), entry))
            }
            return entries
        }
    }

    /// Deletes entries and decisions before a time.
    ///
    /// - Throws: `StoreError`.
    package func removeAudit(before time: Int64) throws {
        try database.write { sql in
            try sql.execute("DELETE FROM audit WHERE at < $1", [.integer(time)])
            try sql.execute("DELETE FROM report_decision WHERE at < $1", [.integer(time)])
        }
    }
}

extension SQLSession {
    func note(_ entry: AuditEntry) throws {
        try execute(
            "INSERT INTO audit (at, issuer, subject, name, action, object, detail) VALUES ($1, $2, $3, $4, $5, $6, $7)",
            [
                .integer(entry.at), .text(entry.issuer), .text(entry.subject), .text(entry.name),
                .text(entry.action.rawValue), .text(entry.object), .text(entry.detail),
            ])
    }
}

enum SQLPattern {
    /// Returns the pattern of LIKE for texts that `lower` returns and that contain a text, in capitals or not.
    ///
    /// A letter beyond ASCII stands for any character: `lower` of SQLite leaves it as it is.
    static func containing(_ text: String) -> String {
        var pattern = "%"
        for scalar in text.unicodeScalars {
            if "%_\\".unicodeScalars.contains(scalar) { pattern += "\\" }
            pattern += scalar.isASCII || !scalar.properties.isCased ? scalar.properties.lowercaseMapping : "_"
        }
        return pattern + "%"
    }
}
