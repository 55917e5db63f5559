import BeaconModel
import Matching
import OperatorText
import RecordContract

/// Upgrade of the tables of an earlier version.
enum StoreUpgrade {
    /// Returns whether the tables of a version can and must be upgraded.
    static func isNeeded(from version: Int64) -> Bool {
        (StoreSchema.earliest..<StoreSchema.version).contains(version)
    }

    /// Upgrades the tables, in the present transaction.
    ///
    /// - Parameter version: a version that must be upgraded.
    /// - Throws: `StoreError`.
    static func run(from version: Int64, _ session: any SQLSession) throws {
        for statement in StoreSchema.upgrade(from: version, session.dialect) { try session.execute(statement) }
        if version < 9 {
            for statement in exposureColumns { try session.execute(statement) }
            try splitNotices(session)
        }
        if version < 10 { try session.execute(StoreSchema.receiverPositions) }
        if version < 11 {
            for statement in StoreSchema.locatedStays(session.dialect) { try session.execute(statement) }
        }
        if version < 12 { try session.execute(StoreSchema.receiverNights) }
        if version < 13 {
            for statement in StoreSchema.people(session.dialect) { try session.execute(statement) }
            for statement in StoreSchema.signIn(session.dialect) { try session.execute(statement) }
            try session.execute(StoreSchema.codes)
            try session.execute(StoreSchema.uploads)
            for statement in StoreSchema.mail(session.dialect) { try session.execute(statement) }
            for statement in StoreSchema.floorPlans(session.dialect) { try session.execute(statement) }
            try session.execute(StoreSchema.questionnaire(session.dialect))
        }
        if version < 14 {
            for statement in StoreSchema.submittedResults(session.dialect) { try session.execute(statement) }
            try session.execute(StoreSchema.reportMatching)
        }
        if version < 15 {
            for statement in StoreSchema.lectureTimes { try session.execute(statement) }
        }
        try session.execute("UPDATE schema_version SET version = \(StoreSchema.version)")
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
    private static func splitNotices(_ session: any SQLSession) throws {
        for definition in NoticeColumns.definitions {
            try session.execute("ALTER TABLE notice ADD COLUMN \(definition)")
        }
        var notices: [(name: [SQLValue], content: NoticeContent?)] = []
        try session.query("SELECT kind, name, content FROM notice WHERE content <> ''") { row in
            let former = try? JSON.decode(FormerNotice.self, from: Array((row.text(2) ?? "").utf8))
            notices.append(([.text(row.text(0)), .text(row.text(1))], former?.content))
        }
        for (name, content) in notices {
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
