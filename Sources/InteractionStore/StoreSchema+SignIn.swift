extension StoreSchema {
    /// Returns the statements for the tables of people who sign in, and of what they did. Times are in seconds since
    /// 1970. Secrets of sessions and links are kept as SHA-256 alone.
    static func signIn(_ dialect: SQLDialect) -> [String] {
        [
            // `roles`: names in their order, with commas between them; `number`: student or staff number.
            """
            CREATE TABLE session (hash TEXT PRIMARY KEY, issuer TEXT NOT NULL, subject TEXT NOT NULL, \
            name TEXT NOT NULL, number TEXT, roles TEXT NOT NULL, created BIGINT NOT NULL, used BIGINT NOT NULL)
            """,
            "CREATE INDEX session_by_account ON session (subject, issuer)",
            // Sign-ins in progress at the identity provider, for ten minutes; see `AuthorizationAttempt`.
            """
            CREATE TABLE sign_in (state TEXT PRIMARY KEY, nonce TEXT NOT NULL, verifier TEXT NOT NULL, \
            binding TEXT NOT NULL, destination TEXT NOT NULL, started BIGINT NOT NULL)
            """,
            """
            CREATE TABLE sign_in_link (hash TEXT PRIMARY KEY, name TEXT NOT NULL, number TEXT, roles TEXT NOT NULL, \
            expires BIGINT NOT NULL)
            """,
            // `object`: what was acted on, such as a report or a person.
            """
            CREATE TABLE audit (id \(dialect.identity), at BIGINT NOT NULL, issuer TEXT NOT NULL, \
            subject TEXT NOT NULL, name TEXT NOT NULL, action TEXT NOT NULL, object TEXT NOT NULL, \
            detail TEXT NOT NULL)
            """,
            "CREATE INDEX audit_by_time ON audit (at)",
            // What officers decided about reports, by reference. Stays when the report is gone, until it expires.
            """
            CREATE TABLE report_decision (report TEXT PRIMARY KEY, decision TEXT NOT NULL, reason TEXT NOT NULL, \
            name TEXT NOT NULL, at BIGINT NOT NULL)
            """,
            // For the lists of officers: what waits among many codes, and who was exposed lately.
            "CREATE INDEX report_subject_waiting ON report_subject (report) WHERE pending = 1",
            "CREATE INDEX positive_waiting ON positive (report) WHERE pending = 1",
            "CREATE INDEX exposure_by_end ON exposure (ended, kind, name, report)",
        ]
    }
}
