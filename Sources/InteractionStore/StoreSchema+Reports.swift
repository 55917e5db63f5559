extension StoreSchema {
    /// Returns the statements for the tables of positive reports and of what follows from them. Times are in seconds
    /// since 1970, days in days since 1970.
    static func reports(_ dialect: SQLDialect) -> [String] {
        [
            // `matched`: 1 once the report was matched as it is now, which what an officer confirms changes.
            """
            CREATE TABLE report (id \(dialect.identity), reference TEXT NOT NULL UNIQUE, received BIGINT NOT NULL, \
            type TEXT NOT NULL, onset BIGINT, test BIGINT, symptoms TEXT, \(matchedColumn))
            """,
            // The subjects of a report, with the period in which each name was theirs.
            """
            CREATE TABLE report_subject (report BIGINT NOT NULL, kind TEXT NOT NULL, name TEXT NOT NULL, \
            since BIGINT NOT NULL, until BIGINT NOT NULL, pending SMALLINT NOT NULL DEFAULT 0, \
            PRIMARY KEY (report, kind, name, since))
            """,
            "CREATE INDEX report_subject_by_name ON report_subject (name, kind)",
            "CREATE TABLE spent_token (hash TEXT PRIMARY KEY, expires BIGINT NOT NULL)",
            positives(named: "positive", dialect),
            // `clock`: 0 where a gateway's clock was not synchronized; `way`: `beacon` or `together`.
            """
            CREATE TABLE exposure (report BIGINT NOT NULL, kind TEXT NOT NULL, name TEXT NOT NULL, \
            place BIGINT NOT NULL, started BIGINT NOT NULL, ended BIGINT NOT NULL, milliminutes BIGINT NOT NULL, \
            clock SMALLINT NOT NULL, way TEXT NOT NULL, \
            PRIMARY KEY (report, kind, name, place, started))
            """,
            exposureIndex,
            // Notices for subjects; `delivered` and `seen` are 0 until the notice has been delivered and read. `stale`:
            // number of changes to the subject's exposures, negative when the notice covers all of them.
            """
            CREATE TABLE notice (kind TEXT NOT NULL, name TEXT NOT NULL, \
            \(NoticeColumns.definitions.joined(separator: ", ")), \
            changed BIGINT NOT NULL, delivered BIGINT NOT NULL, seen BIGINT NOT NULL, stale BIGINT NOT NULL, \
            PRIMARY KEY (name, kind))
            """,
        ] + positiveIndexes
    }

    private static let matchedColumn = "matched SMALLINT NOT NULL DEFAULT 0"

    /// Change of version 14. Reports that were matched before are matched again within minutes.
    static let reportMatching = "ALTER TABLE report ADD COLUMN \(matchedColumn)"

    /// Returns the statement for a table of entries for the list of positives: each report has its own entries, also of
    /// values that others have. A slot is assigned when an entry is published. `pending`: 0 counts, 1 waits for
    /// confirmation, 2 was published and withdrawn.
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

    /// Returns the statements for the changes of version 8: before, a value was in only one report.
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
        table: "notice", columns: ["kind", "name", "changed", "delivered", "seen", "stale"],
        conflict: "ON CONFLICT (name, kind) DO UPDATE SET stale = abs(notice.stale) + 1")

    static let exposureInsertion = SQLInsertion(
        table: "exposure",
        columns: ["report", "kind", "name", "place", "started", "ended", "milliminutes", "clock", "way"],
        conflict: "ON CONFLICT (report, kind, name, place, started) DO UPDATE SET ended = excluded.ended, "
            + "milliminutes = excluded.milliminutes, clock = excluded.clock, way = excluded.way")
}
