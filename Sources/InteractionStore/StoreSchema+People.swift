extension StoreSchema {
    /// Returns the statements for the register of people. Its tables name nobody's interactions: they are joined with
    /// them only by the names of badges and phones.
    static func people(_ dialect: SQLDialect) -> [String] {
        // The order of bytes, in which an index also finds beginnings.
        let text =
            switch dialect {
            case .sqlite: "TEXT NOT NULL"
            case .postgreSQL: "TEXT COLLATE \"C\" NOT NULL"
            }
        let options = dialect == .sqlite ? " WITHOUT ROWID" : ""
        return [
            // `folded`: the name in its short form, see `FoldedName`. `contact`: one a line.
            """
            CREATE TABLE person (id \(dialect.identity), number \(text) UNIQUE, name TEXT NOT NULL, \
            folded \(text), contact TEXT NOT NULL)
            """,
            "CREATE INDEX person_by_name ON person (folded, number)",
            """
            CREATE TABLE person_subject (kind TEXT NOT NULL, name TEXT NOT NULL, person BIGINT NOT NULL, \
            PRIMARY KEY (name, kind))\(options)
            """,
            "CREATE INDEX person_subject_by_person ON person_subject (person)",
            // Each word of a name in each of its forms, and the whole name, which has spaces.
            "CREATE TABLE person_word (word \(text), person BIGINT NOT NULL, PRIMARY KEY (word, person))\(options)",
            "CREATE INDEX person_word_by_person ON person_word (person)",
        ]
    }

    static let personInsertion = SQLInsertion(
        table: "person", columns: ["number", "name", "folded", "contact"],
        conflict: "ON CONFLICT (number) DO UPDATE SET name = excluded.name, folded = excluded.folded, "
            + "contact = excluded.contact RETURNING id, number")

    static let personSubjectInsertion = SQLInsertion(
        table: "person_subject", columns: ["kind", "name", "person"], conflict: "")

    static let personWordInsertion = SQLInsertion(table: "person_word", columns: ["word", "person"], conflict: "")
}
