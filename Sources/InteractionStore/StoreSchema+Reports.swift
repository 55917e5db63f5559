extension StoreSchema {
    /// Of positive reports and what follows from them. Times in seconds since 1970, days since 1970.
    static func reports(_ dialect: SQLDialect) -> [String] {
        [
            """
            CREATE TABLE report (id \(dialect.identity), reference TEXT NOT NULL UNIQUE, received BIGINT NOT NULL, \
            type TEXT NOT NULL, onset BIGINT, test BIGINT, symptoms TEXT)
            """,
            // Whom a report is of, and in which time each of the names was its own.
            """
            CREATE TABLE report_subject (report BIGINT NOT NULL, kind TEXT NOT NULL, name TEXT NOT NULL, \
            since BIGINT NOT NULL, until BIGINT NOT NULL, pending SMALLINT NOT NULL DEFAULT 0, \
            PRIMARY KEY (report, kind, name, since))
            """,
            "CREATE INDEX report_subject_by_name ON report_subject (name, kind)",
            "CREATE TABLE spent_token (hash TEXT PRIMARY KEY, expires BIGINT NOT NULL)",
            positives(named: "positive", dialect),
            """
            CREATE TABLE exposure (report BIGINT NOT NULL, kind TEXT NOT NULL, name TEXT NOT NULL, \
            place BIGINT NOT NULL, started BIGINT NOT NULL, ended BIGINT NOT NULL, milliminutes BIGINT NOT NULL, \
            document TEXT NOT NULL, PRIMARY KEY (report, kind, name, place, started))
            """,
            exposureIndex,
            // What a subject is to be told; `delivered` and `seen` are 0 until then. `stale`: how often its exposures changed,
            // negative when it was made after all of them.
            """
            CREATE TABLE notice (kind TEXT NOT NULL, name TEXT NOT NULL, content TEXT NOT NULL, \
            changed BIGINT NOT NULL, delivered BIGINT NOT NULL, seen BIGINT NOT NULL, stale BIGINT NOT NULL, \
            PRIMARY KEY (name, kind))
            """,
        ] + positiveIndexes
    }

    /// What the list of positives is to have: each report has entries of its own, also of values that others have. A slot is given
    /// when an entry is published. `pending`: 0 counts, 1 waits for a confirmation, 2 was published and taken back.
    private static func positives(named name: String, _ dialect: SQLDialect) -> String {
        """
        CREATE TABLE \(name) (id \(dialect.identity), scheme TEXT NOT NULL, value TEXT NOT NULL, \
        report BIGINT NOT NULL, slot BIGINT, pending SMALLINT NOT NULL DEFAULT 0)
        """
    }

    private static let positiveIndexes = [
        "CREATE INDEX positive_by_slot ON positive (scheme, slot)",
        "CREATE INDEX positive_by_value ON positive (scheme, value)",
    ]

    /// What version 8 changes: before, a value was in one report alone.
    static func reportedEntries(_ dialect: SQLDialect) -> [String] {
        switch dialect {
        case .sqlite:
            [
                positives(named: "positive_of_report", dialect),
                "INSERT INTO positive_of_report (id, scheme, value, report, slot, pending) "
                    + "SELECT id, scheme, value, report, slot, pending FROM positive",
                "DROP TABLE positive", "ALTER TABLE positive_of_report RENAME TO positive",
            ] + positiveIndexes
        case .postgreSQL:
            ["ALTER TABLE positive DROP CONSTRAINT IF EXISTS positive_scheme_value_key", positiveIndexes[1]]
        }
    }

    static let reportInsertion =
        "INSERT INTO report (reference, received, type, onset, test, symptoms) "
        + "VALUES ($1, $2, $3, $4, $5, $6) RETURNING id"

    static let reportSubjectInsertion = SQLInsertion(
        table: "report_subject", columns: ["report", "kind", "name", "since", "until", "pending"],
        conflict: "ON CONFLICT (report, kind, name, since) DO UPDATE SET "
            + "until = CASE WHEN excluded.until > report_subject.until THEN excluded.until ELSE report_subject.until END"
    )

    static let positiveInsertion = SQLInsertion(
        table: "positive", columns: ["scheme", "value", "report", "pending"], conflict: "")

    static let staleNoticeInsertion = SQLInsertion(
        table: "notice", columns: ["kind", "name", "content", "changed", "delivered", "seen", "stale"],
        conflict: "ON CONFLICT (name, kind) DO UPDATE SET stale = abs(notice.stale) + 1")

    static let exposureInsertion = SQLInsertion(
        table: "exposure",
        columns: ["report", "kind", "name", "place", "started", "ended", "milliminutes", "document"],
        conflict: "ON CONFLICT (report, kind, name, place, started) DO UPDATE SET ended = excluded.ended, "
            + "milliminutes = excluded.milliminutes, document = excluded.document")
}
