extension StoreSchema {
    /// Returns the statements for the tables of test results that were sent in on the page. `state`: `draft` or
    /// `waiting`; `proof`: `picture` or `code`; `at`: seconds since 1970; days: since 1970; `was_read`: whether a
    /// program has read the picture; `read_codes`: a code a line.
    ///
    /// Pictures have a table of their own, so that lists do not read them.
    static func submittedResults(_ dialect: SQLDialect) -> [String] {
        // As in the register, with which this table is compared.
        let number =
            switch dialect {
            case .sqlite: "number TEXT"
            case .postgreSQL: "number TEXT COLLATE \"C\""
            }
        return [
            """
            CREATE TABLE submitted_result (reference TEXT PRIMARY KEY, state TEXT NOT NULL, at BIGINT NOT NULL, \
            name TEXT NOT NULL, \(number) NOT NULL, contact TEXT NOT NULL, test_day BIGINT, onset BIGINT, \
            order_number TEXT NOT NULL, proof TEXT NOT NULL, format TEXT NOT NULL, width BIGINT NOT NULL, \
            height BIGINT NOT NULL, byte_count BIGINT NOT NULL, was_read SMALLINT NOT NULL, read_outcome TEXT, \
            read_day BIGINT, read_order TEXT, read_codes TEXT NOT NULL)
            """,
            "CREATE TABLE submitted_picture (reference TEXT PRIMARY KEY, bytes \(dialect.blob) NOT NULL)",
        ]
    }
}
