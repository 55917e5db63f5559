/// The tables of a store, and the number of their rows.
enum StoreTables {
    /// Tables that each new store has rows in.
    private static let filledAtOnce: Set<String> = ["schema_version", "extent", "secret"]

    /// Names of the tables that a store of any version can have, without partitions.
    private static let known: Set<String> = Set(
        StoreSchema.statements(.postgreSQL).compactMap { statement in
            let words = statement.split(separator: " ", maxSplits: 3)
            return words.count > 2 && words[0] == "CREATE" && words[1] == "TABLE" ? String(words[2]) : nil
        })

    /// Returns the tables of the store that have rows of their own: other programs can have tables in the same
    /// database, and a table with partitions has none.
    static func names(_ session: any SQLSession) throws -> [String] {
        let sql =
            switch session.dialect {
            case .sqlite:
                "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'"
            case .postgreSQL:
                "SELECT c.relname FROM pg_class c WHERE c.relnamespace = current_schema()::regnamespace "
                    + "AND c.relkind = 'r'"
            }
        var names: [String] = []
        try session.query(sql) { row in
            if let name = row.text(0), session.dialect == .sqlite || isOfStore(name) { names.append(name) }
        }
        return names.sorted()
    }

    /// Returns all tables of the store, also those that have partitions.
    static func all(_ session: any SQLSession) throws -> [String] {
        guard session.dialect == .postgreSQL else { return try names(session) }
        var names: [String] = []
        try session.query(
            "SELECT c.relname FROM pg_class c WHERE c.relnamespace = current_schema()::regnamespace "
                + "AND c.relkind IN ('r', 'p')"
        ) { row in
            if let name = row.text(0), isOfStore(name) { names.append(name) }
        }
        return names.sorted()
    }

    private static func isOfStore(_ name: String) -> Bool {
        if known.contains(name) { return true }
        guard let underscore = name.lastIndex(of: "_") else { return false }
        let day = name[name.index(after: underscore)...]
        return name[..<underscore] == "interaction" && isDay(day)
            || StoreSchema.readingTables.contains(String(name[..<underscore])) && isDay(day)
    }

    private static func isDay(_ text: Substring) -> Bool {
        (1...9).contains(text.utf8.count) && text.utf8.allSatisfy { (48...57).contains($0) }
    }

    /// Returns the number of rows of each table.
    static func counts(_ session: any SQLSession) throws -> [String: Int] {
        var counts: [String: Int] = [:]
        for name in try names(session) { counts[name] = try session.count("SELECT count(*) FROM \"\(name)\"") }
        return counts
    }

    /// Returns the number of rows that a new store does not have.
    static func rows(of counts: [String: Int]) -> Int {
        counts.reduce(0) { filledAtOnce.contains($1.key) ? $0 : $0 + $1.value }
    }
}
