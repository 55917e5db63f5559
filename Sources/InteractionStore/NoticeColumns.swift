import Matching

/// Columns of the table `notice` that hold the content of a notice. A notice that has nothing left to report has the
/// default values.
enum NoticeColumns {
    /// `latest` is in seconds since 1970; `clock` is 0 where a gateway's clock was not synchronized.
    static let definitions = [
        "level TEXT NOT NULL DEFAULT ''", "label TEXT NOT NULL DEFAULT ''", "days BIGINT NOT NULL DEFAULT 0",
        "latest BIGINT", "policy TEXT NOT NULL DEFAULT ''", "policy_version TEXT NOT NULL DEFAULT ''",
        "clock SMALLINT NOT NULL DEFAULT 1",
    ]

    private static let names = ["level", "label", "days", "latest", "policy", "policy_version", "clock"]
    static let count = names.count

    /// Returns the columns for a query.
    ///
    /// - Parameter alias: alias of the table.
    static func list(of alias: String = "notice") -> String { names.map { "\(alias).\($0)" }.joined(separator: ", ") }

    /// Condition that a notice has something to report.
    static let isPresent = "level <> ''"

    /// Returns the assignments of a statement whose arguments are the content's values from a number on.
    static func assignments(from first: Int) -> String {
        names.enumerated().map { "\($1) = $\(first + $0)" }.joined(separator: ", ")
    }

    /// Returns the condition that the content is the one in the arguments from a number on.
    static func areEqual(from first: Int) -> String {
        names.enumerated().map { index, name in
            let argument = "$\(first + index)"
            return name == "latest"
                ? "(\(name) = \(argument) OR \(name) IS NULL AND \(argument) IS NULL)"
                : "\(name) = \(argument)"
        }.joined(separator: " AND ")
    }

    static func values(of content: NoticeContent?) -> [SQLValue] {
        [
            .text(content?.level.rawValue ?? ""), .text(content?.label ?? ""), .integer(Int64(content?.days ?? 0)),
            .integer(content?.latest), .text(content?.policy ?? ""), .text(content?.policyVersion ?? ""),
            .integer(content?.clockIsDoubtful == true ? 0 : 1),
        ]
    }

    /// Reads the content of a row; `nil` if there is nothing left to report.
    ///
    /// - Parameter first: number of the first of the columns.
    static func content(_ row: SQLRow, from first: Int32) -> NoticeContent? {
        guard let level = row.text(first), !level.isEmpty else { return nil }
        return NoticeContent(
            // No version of this program writes another level. Such a notice must not be read as one without a risk.
            level: RiskLevel(rawValue: level) ?? .high, label: row.text(first + 1) ?? "",
            days: Int(row.integer(first + 2)), latest: row.optionalInteger(first + 3),
            policy: row.text(first + 4) ?? "", policyVersion: row.text(first + 5) ?? "",
            clockIsDoubtful: row.integer(first + 6) != 1)
    }
}
