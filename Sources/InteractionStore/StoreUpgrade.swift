import BeaconModel
import Matching
import OperatorText
import RecordContract

/// Upgrade of the tables of an earlier version.
enum StoreUpgrade {
    /// Changes that make the tables of a version from those of the version before.
    struct Step {
        var version: Int64
        /// Description for people.
        var what: String
        /// Tables whose rows are all read or written.
        var tables: [String] = []
        var changes: [Change]
    }

    enum Change {
        case statement(String)
        /// The text of each notice becomes columns.
        case splitNotices
    }

    /// Returns whether the tables of a version can and must be upgraded.
    static func isNeeded(from version: Int64) -> Bool {
        (StoreSchema.earliest..<StoreSchema.version).contains(version)
    }

    /// Returns the steps from a version to the present one, in their order.
    static func steps(from version: Int64, _ dialect: SQLDialect) -> [Step] {
        steps(dialect).filter { $0.version > version }
    }

    private static func steps(_ dialect: SQLDialect) -> [Step] {
        func step(_ version: Int64, _ what: String, tables: [String] = [], _ statements: [String]) -> Step {
            Step(version: version, what: what, tables: tables, changes: statements.map { .statement($0) })
        }
        return [
            step(
                4, "index of interactions by id", tables: ["interaction"],
                StoreSchema.identities(dialect)
                    + ["ALTER TABLE attendance ADD COLUMN clock SMALLINT NOT NULL DEFAULT 1"]),
            step(5, "tables of readings", StoreSchema.readings(dialect)),
            step(6, "tables of trust", StoreSchema.trust() + StoreSchema.trustColumns),
            step(7, "order of rooms", tables: ["exposure"], StoreSchema.roomOrder),
            step(8, "list of positives by report", tables: ["positive"], StoreSchema.reportedEntries(dialect)),
            Step(
                version: 9, what: "columns of exposures and notices", tables: ["exposure", "notice"],
                changes: exposureColumns.map { .statement($0) } + [.splitNotices]),
            step(10, "positions of receivers", [StoreSchema.receiverPositions]),
            step(11, "tables of located stays", StoreSchema.locatedStays(dialect)),
            step(12, "nights of receivers", [StoreSchema.receiverNights]),
            step(
                13, "tables of people and of the page", tables: ["exposure", "notice"],
                StoreSchema.people(dialect) + StoreSchema.signIn(dialect) + [StoreSchema.codes, StoreSchema.uploads]
                    + StoreSchema.mail(dialect) + StoreSchema.floorPlans(dialect)
                    + [StoreSchema.questionnaire(dialect)]),
            step(
                14, "tables of submitted results",
                StoreSchema.submittedResults(dialect) + [StoreSchema.reportMatching]),
            step(15, "times of lectures", StoreSchema.lectureTimes),
            step(16, "version of the program", ["ALTER TABLE schema_version ADD COLUMN program TEXT"]),
        ]
    }

    /// Upgrades the tables, in the present transaction.
    ///
    /// - Parameters:
    ///   - version: a version that must be upgraded.
    ///   - report: called before each step, and for each part of a long one.
    /// - Throws: `StoreError`.
    static func run(
        from version: Int64, _ session: any SQLSession, report: (StoreUpgradeProgress) -> Void
    ) throws {
        let steps = steps(from: version, session.dialect)
        for (index, step) in steps.enumerated() {
            var rows = 0
            for table in step.tables { rows += try session.count("SELECT count(*) FROM \(table)") }
            report(.step(step.what, number: index + 1, of: steps.count, rows: rows))
            for change in step.changes {
                switch change {
                case .statement(let sql): try session.execute(sql)
                case .splitNotices: try splitNotices(session, report: report)
                }
            }
        }
        try session.execute(
            "UPDATE schema_version SET version = \(StoreSchema.version), program = $1",
            [.text(ProductVersion.number)])
    }

    /// Returns the version of the tables; `nil` if there are none.
    static func version(_ session: any SQLSession) throws -> Int64? {
        guard try session.hasTable("schema_version") else { return nil }
        return try session.first("SELECT version FROM schema_version") { $0.integer(0) } ?? 0
    }

    /// Wordings of the doubt about clocks in the JSON that versions before 9 kept. They do not follow
    /// `ClockDoubt.text`, which can change.
    private static let clockDoubts = [
        "a gateway's clock wasn't synchronized: the times may be wrong",
        "a gateway's clock was not synchronized: the times may be wrong",
    ]

    /// Changes of version 9 to exposures. Before, one text held the two facts: as words, or in the whole document that
    /// earlier versions kept, in JSON.
    ///
    /// An exposure whose text is neither such a word nor in braces stays: its times are doubted, and it is kept when
    /// its report is matched again after the readings have expired, as if it had been found by them.
    private static let exposureColumns = [
        "ALTER TABLE exposure ADD COLUMN clock SMALLINT NOT NULL DEFAULT 1",
        "ALTER TABLE exposure ADD COLUMN way TEXT NOT NULL DEFAULT 'beacon'",
        "UPDATE exposure SET clock = 0 WHERE NOT (document IN ('', 'together') OR document LIKE '{%}'"
            + clockDoubts.map { " AND document NOT LIKE '%\($0.replacing("'", with: "''"))%'" }.joined() + ")",
        // Before there were minutes together, a document did not have this member.
        "UPDATE exposure SET way = 'together' WHERE NOT (document IN ('', 'clock') "
            + "OR document LIKE '{%}' AND document NOT LIKE '%\"way\":\"together\"%')",
        "ALTER TABLE exposure DROP COLUMN document",
    ]

    /// Content of a notice in the JSON that versions before 9 kept.
    private struct FormerNotice: Decodable {
        struct PolicyName: Decodable {
            var name: String
            var version: String
        }

        var level: String
        var label: String
        var exposures: Int
        var latest: String?
        var policy: PolicyName
        var missing: [String]?

        /// The content; `nil` if a value is impossible.
        var content: NoticeContent? {
            guard let level = RiskLevel(rawValue: level), exposures >= 0 else { return nil }
            var time: Int64?
            if let latest {
                guard let parsed = RFC3339Text.parse(latest) else { return nil }
                time = parsed.microseconds / 1_000_000
            }
            return NoticeContent(
                level: level, label: label, days: exposures, latest: time, policy: policy.name,
                policyVersion: policy.version,
                clockIsDoubtful: missing?.contains { StoreUpgrade.clockDoubts.contains($0) } ?? false)
        }
    }

    /// Changes of version 9 to notices: columns in the place of JSON. A notice that cannot be read is made again from
    /// the subject's exposures, and is news.
    private static func splitNotices(
        _ session: any SQLSession, report: (StoreUpgradeProgress) -> Void
    ) throws {
        for definition in NoticeColumns.definitions {
            try session.execute("ALTER TABLE notice ADD COLUMN \(definition)")
        }
        var notices: [(name: [SQLValue], content: NoticeContent?)] = []
        try session.query("SELECT kind, name, content FROM notice WHERE content <> ''") { row in
            let former = try? JSON.decode(FormerNotice.self, from: Array((row.text(2) ?? "").utf8))
            notices.append(([.text(row.text(0)), .text(row.text(1))], former?.content))
        }
        var pace = StoreUpgradePace(total: notices.count)
        for (name, content) in notices {
            if let progress = pace.next() { report(progress) }
            if let content {
                try session.execute(
                    "UPDATE notice SET \(NoticeColumns.assignments(from: 3)) WHERE kind = $1 AND name = $2",
                    name + NoticeColumns.values(of: content))
            } else {
                try session.execute("UPDATE notice SET stale = abs(stale) + 1 WHERE kind = $1 AND name = $2", name)
            }
        }
        try session.execute("ALTER TABLE notice DROP COLUMN content")
    }
}
