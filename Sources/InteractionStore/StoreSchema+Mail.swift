extension StoreSchema {
    /// Returns the statements for the tables of e-mails. People have the numbers of the register. Times are in seconds
    /// since 1970.
    static func mail(_ dialect: SQLDialect) -> [String] {
        // As in the register, with which these tables are joined.
        let number =
            switch dialect {
            case .sqlite: "number TEXT"
            case .postgreSQL: "number TEXT COLLATE \"C\""
            }
        return [
            """
            CREATE TABLE mail (id \(dialect.identity), \(number) NOT NULL, address TEXT NOT NULL, \
            kind TEXT NOT NULL, state TEXT NOT NULL, tries BIGINT NOT NULL, next BIGINT NOT NULL, error TEXT NOT NULL, \
            created BIGINT NOT NULL, sent BIGINT)
            """,
            "CREATE INDEX mail_by_person ON mail (number)",
            // At most one e-mail waits for each person: it says all that is known when it is sent.
            "CREATE UNIQUE INDEX mail_waiting ON mail (number) WHERE state = 'queued'",
            "CREATE INDEX mail_by_next ON mail (next) WHERE state = 'queued'",
            // People who want notices by e-mail, with the notice that they know: only news is sent.
            "CREATE TABLE mail_wish (\(number) PRIMARY KEY, since BIGINT NOT NULL, "
                + NoticeColumns.definitions.joined(separator: ", ") + ")",
            // What is new, and what is to be made again, is looked for every few seconds among all notices.
            "CREATE INDEX notice_by_change ON notice (changed)",
            "CREATE INDEX notice_stale ON notice (name, kind) WHERE stale > 0",
        ]
    }
}
