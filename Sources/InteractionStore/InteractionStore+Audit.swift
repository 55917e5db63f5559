import Matching
import SignIn

/// Audit of the page and of commands.
extension InteractionStore {
    /// Stores an entry.
    ///
    /// - Throws: `StoreError`.
    package func note(_ entry: AuditEntry) throws {
        try database.write { sql in
            // A concurrent erasure finds the entry, or the entry finds the erasure.
            try sql.lockShared()
            try sql.note(entry)
        }
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

    /// Returns the latest entry about an action on an object; `nil` if there is none.
    ///
    /// - Throws: `StoreError`.
    package func latestEntry(_ action: AuditEntry.Action, _ object: String) throws -> AuditEntry? {
        try database.read { sql in
            try sql.first(
                "SELECT at, issuer, subject, name, detail FROM audit WHERE action = $1 AND object = $2 "
                    + "ORDER BY id DESC LIMIT 1", [.text(action.rawValue), .text(object)]
            ) { row in
                AuditEntry(
                    at: row.integer(0),
                    account: Account(
                        issuer: row.text(1) ?? "", subject: row.text(2) ?? "", name: row.text(3) ?? "", roles: []),
                    action: action, object: object, detail: row.text(4) ?? "")
            }
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
    /// Stores an entry, if there is one. The name of a subject that was erased is not stored again.
    ///
    /// The transaction has locked out erasures: one that ended between the look at the list of erased subjects and the
    /// insertion would have missed the entry.
    func note(_ entry: AuditEntry?) throws {
        guard let entry else { return }
        let (object, detail) = (try withoutErased(entry.object, entry.action), try withoutErased(entry.detail))
        try execute(
            "INSERT INTO audit (at, issuer, subject, name, action, object, detail) VALUES ($1, $2, $3, $4, $5, $6, $7)",
            [
                .integer(entry.at), .text(entry.issuer), .text(entry.subject), .text(entry.name),
                .text(entry.action.rawValue), .text(object), .text(detail),
            ])
    }

    /// Returns a text without the names of subjects in the list of those that were erased.
    ///
    /// - Parameter action: action of which the text is the object.
    private func withoutErased(_ text: String, _ action: AuditEntry.Action? = nil) throws -> String {
        var candidates = SubjectIdentity.candidates(in: text)
        let searched = action == .searchedPeople ? SubjectIdentity(kind: SubjectIdentity.phone, id: text) : nil
        if let searched { candidates.insert(searched) }
        guard !candidates.isEmpty, let key = try Erasures.presentKey(self) else { return text }
        var hashes: Set<String> = []
        try query("SELECT hash FROM erased") { row in
            if let hash = row.text(0) { hashes.insert(hash) }
        }
        if hashes.isEmpty { return text }
        // The longest first: another one can be a part of it.
        let erased = candidates.filter { hashes.contains(Erasures.hash($0, key)) }
            .sorted { ($0.id.utf8.count, $0) > ($1.id.utf8.count, $1) }
        if let searched, erased.contains(searched) { return AuditEntry.erased }
        return try erased.reduce(text) { try NamesInText(of: $1, others: longerNames(than: $1)).erased(from: $0) }
    }

    /// Takes the names of a subject from the audit and from other texts that people wrote. The entries stay: who did
    /// what, and when.
    func removeFromTexts(_ subject: SubjectIdentity) throws {
        let names = NamesInText(of: subject, others: try longerNames(than: subject))
        for text in FreeText.all where text.isCleaned {
            for (key, values) in try rows(of: text, around: names) {
                let kept = values.map { names.erased(from: $0) }
                if kept == values { continue }
                let columns = text.columns.indices.map { "\(text.columns[$0]) = $\($0 + 2)" }
                try execute(
                    "UPDATE \(text.table) SET \(columns.joined(separator: ", ")) "
                        + "WHERE \(text.key) = $1", [key] + kept.map { .text($0) })
            }
        }
        try removeFromLabels(names)
        if subject.isNamedByIDAlone { return }
        try execute(
            "UPDATE audit SET object = $1 WHERE action = $2 AND lower(object) = lower($3)",
            [.text(AuditEntry.erased), .text(AuditEntry.Action.searchedPeople.rawValue), .text(subject.id)])
    }

    /// Takes the names of a subject from the labels of enrolment codes. Codes of two labels do not become one group.
    private func removeFromLabels(_ names: NamesInText) throws {
        var labels: Set<String> = []
        try query("SELECT DISTINCT label FROM enrolment") { row in labels.insert(row.text(0) ?? "") }
        for label in labels.sorted() {
            let erased = names.erased(from: label)
            if erased == label { continue }
            var kept = erased
            while labels.contains(kept) { kept = "\(erased) \(String(UInt16.random(in: 4096...65535), radix: 16))" }
            labels.insert(kept)
            try execute("UPDATE enrolment SET label = $1 WHERE label = $2", [.text(kept), .text(label)])
        }
    }

    /// Returns the numbers of rows whose texts name a subject, by table. A row counts too if that is unclear.
    func textsNaming(_ subject: SubjectIdentity) throws -> [String: Int] {
        let names = NamesInText(of: subject, others: try longerNames(than: subject))
        var counts: [String: Int] = [:]
        for text in FreeText.all {
            counts[text.table] = try rows(of: text, around: names).count { _, values in
                values.contains { names.naming(in: $0) != .no }
            }
        }
        return counts
    }

    /// Returns the rows in which a name of a subject can be, with their keys and texts.
    private func rows(of text: FreeText, around names: NamesInText) throws -> [(key: SQLValue, values: [String])] {
        let conditions = text.columns.flatMap { column in
            names.parts.indices.map { "lower(\(column)) LIKE CAST($\($0 + 1) AS TEXT) ESCAPE '\\'" }
        }
        var rows: [(key: SQLValue, values: [String])] = []
        try query(
            "SELECT \(text.key), \(text.columns.joined(separator: ", ")) FROM \(text.table) "
                + "WHERE \(conditions.joined(separator: " OR "))",
            names.parts.map { .text(SQLPattern.containing($0)) }
        ) { row in
            let key: SQLValue = text.isNumbered ? .integer(row.integer(0)) : .text(row.text(0))
            rows.append((key, text.columns.indices.map { row.text(Int32($0) + 1) ?? "" }))
        }
        return rows
    }
}

/// Columns of a table with texts that people wrote, in which a subject can be named.
struct FreeText {
    var table: String
    /// Column of the primary key, or of a part of it.
    var key: String
    /// Whether the key is a number, and not a text.
    var isNumbered = false
    var columns: [String]
    /// Whether erasing changes the texts. The others count as left.
    var isCleaned = true

    static let all = [
        FreeText(table: "audit", key: "id", isNumbered: true, columns: ["object", "detail"]),
        FreeText(table: "revoked_gateway", key: "path", columns: ["reason"]),
        FreeText(table: "report_decision", key: "report", columns: ["reason"]),
        FreeText(table: "correction", key: "id", isNumbered: true, columns: ["reason"]),
        // `removeFromLabels` changes them: rows with the same label belong together.
        FreeText(table: "enrolment", key: "hash", columns: ["label"], isCleaned: false),
        // A plan with another text in place of a beacon could not be read.
        FreeText(table: "floor_plan", key: "path", columns: ["toml"], isCleaned: false),
        FreeText(table: "former_floor_plan", key: "path", columns: ["toml"], isCleaned: false),
    ]
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
