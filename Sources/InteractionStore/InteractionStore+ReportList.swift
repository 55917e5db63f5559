package import Matching

/// Reports for officers, in parts.
extension InteractionStore {
    private static let columns = "r.id, r.reference, r.received, r.type, r.onset, r.test, r.symptoms, r.matched"

    /// Condition that something in a report waits for an officer. Seeds and keys can wait without a name.
    private static let isWaiting =
        "(r.type = '\(ReportType.selfReported.rawValue)' OR EXISTS (SELECT 1 FROM report_subject s "
        + "WHERE s.report = r.id AND s.pending = 1) OR r.id IN (SELECT report FROM positive WHERE pending = 1))"

    /// Returns reports, the latest first.
    ///
    /// - Parameters:
    ///   - areWaiting: whether only those are returned in which something waits for an officer.
    ///   - number: only reports with smaller numbers; `nil` for the first part.
    ///   - limit: maximum number of reports.
    /// - Throws: `StoreError`.
    package func reportList(waiting areWaiting: Bool, before number: Int64?, limit: Int) throws -> [StoredReport] {
        try database.read { session in
            try session.storedReports(
                "SELECT \(Self.columns), CASE WHEN \(Self.isWaiting) THEN 1 ELSE 0 END FROM report r WHERE r.id < $1"
                    + (areWaiting ? " AND \(Self.isWaiting)" : "") + " ORDER BY r.id DESC LIMIT $2",
                [.integer(number ?? .max), .integer(Int64(limit))])
        }
    }

    /// Returns the number of reports in which something waits for an officer.
    ///
    /// - Throws: `StoreError`.
    package func waitingReportCount() throws -> Int {
        try database.read { session in
            try session.count("SELECT count(*) FROM report r WHERE \(Self.isWaiting)")
        }
    }

    /// Returns the number of reports that were not matched yet as they are now: what follows from them is not known.
    ///
    /// - Parameter types: reports of other types are left out.
    /// - Throws: `StoreError`.
    package func unmatchedReportCount(of types: [ReportType]) throws -> Int {
        try database.read { session in
            var count: Int64 = 0
            for type in types {
                count +=
                    try session.first(
                        "SELECT count(*) FROM report WHERE matched = 0 AND type = $1", [.text(type.rawValue)]
                    ) { $0.integer(0) } ?? 0
            }
            return Int(count)
        }
    }

    /// Returns a report; `nil` if there is none, or none any more.
    ///
    /// - Throws: `StoreError`.
    package func storedReport(_ reference: String) throws -> StoredReport? {
        try database.read { session in
            try session.storedReports(
                "SELECT \(Self.columns), CASE WHEN \(Self.isWaiting) THEN 1 ELSE 0 END FROM report r "
                    + "WHERE r.reference = $1", [.text(reference)]
            ).first
        }
    }

    /// Returns the latest reports of a subject.
    ///
    /// - Throws: `StoreError`.
    package func storedReports(of subject: SubjectIdentity, limit: Int) throws -> [StoredReport] {
        try database.read { session in
            try session.storedReports(
                "SELECT \(Self.columns), CASE WHEN \(Self.isWaiting) THEN 1 ELSE 0 END FROM report r WHERE r.id IN "
                    + "(SELECT report FROM report_subject WHERE name = $1 AND kind = $2) ORDER BY r.id DESC LIMIT $3",
                [.text(subject.id), .text(subject.kind), .integer(Int64(limit))])
        }
    }

    /// Returns a report with all its names, as it is matched; `nil` if there is none.
    ///
    /// - Throws: `StoreError`.
    package func filedReport(_ reference: String) throws -> FiledReport? {
        try database.read { session in
            guard
                var report = try session.storedReports(
                    "SELECT \(Self.columns), 0 FROM report r WHERE r.reference = $1", [.text(reference)]
                ).first?.report
            else { return nil }
            report.subjects = []
            try session.query(
                "SELECT kind, name, since, until FROM report_subject WHERE report = $1 AND pending = 0 "
                    + "ORDER BY kind, name, since", [.integer(report.number)]
            ) { row in
                guard let identity = SubjectIdentity(kind: row.text(0) ?? "", id: row.text(1) ?? "") else { return }
                report.subjects.append(.init(identity: identity, since: row.integer(2), until: row.integer(3)))
            }
            return report
        }
    }

    /// Returns the latest decisions by which reports were deleted.
    ///
    /// - Returns: decisions with the references of their reports.
    /// - Throws: `StoreError`.
    package func deletingDecisions(limit: Int) throws -> [(report: String, decision: ReportDecision)] {
        try database.read { session in
            var decisions: [(report: String, decision: ReportDecision)] = []
            try session.query(
                "SELECT report, decision, reason, name, at FROM report_decision WHERE decision IN ($1, $2) "
                    + "ORDER BY at DESC, report LIMIT $3",
                [
                    .text(ReportDecision.Kind.refused.rawValue), .text(ReportDecision.Kind.withdrawn.rawValue),
                    .integer(Int64(limit)),
                ]
            ) { row in
                guard let kind = ReportDecision.Kind(rawValue: row.text(1) ?? "") else { return }
                decisions.append(
                    (
                        row.text(0) ?? "",
                        ReportDecision(
                            kind, reason: row.text(2) ?? "", name: row.text(3) ?? "", at: row.integer(4))
                    ))
            }
            return decisions
        }
    }
}

extension SQLSession {
    /// Maximum number of badges and phones that are read of a report.
    private var mostOwned: Int { 50 }

    /// Returns the reports of a query whose columns are `InteractionStore.columns` and whether something waits.
    fileprivate func storedReports(_ sql: String, _ arguments: [SQLValue]) throws -> [StoredReport] {
        var reports: [StoredReport] = []
        try query(sql, arguments) { row in
            guard let type = ReportType(rawValue: row.text(3) ?? "") else { return }
            let report = PositiveReport(
                reference: row.text(1) ?? "", received: row.integer(2),
                positive: PositiveCase(reportType: type, onset: row.day(4), test: row.day(5)), symptoms: row.text(6),
                subjects: [])
            reports.append(
                StoredReport(
                    report: FiledReport(number: row.integer(0), report), hasOthers: false,
                    isWaiting: row.integer(8) != 0, isMatched: row.integer(7) != 0, exposed: 0, decision: nil))
        }
        for index in reports.indices { try complete(&reports[index]) }
        return reports
    }

    private func complete(_ stored: inout StoredReport) throws {
        let number = SQLValue.integer(stored.report.number)
        let owned = "kind IN ('\(SubjectIdentity.badge)', '\(SubjectIdentity.phone)')"
        var subjects: [PositiveReport.Subject] = []
        try query(
            "SELECT kind, name, since, until FROM report_subject WHERE report = $1 AND \(owned) "
                + "ORDER BY kind, name, since LIMIT \(mostOwned)", [number]
        ) { row in
            guard let identity = SubjectIdentity(kind: row.text(0) ?? "", id: row.text(1) ?? "") else { return }
            subjects.append(.init(identity: identity, since: row.integer(2), until: row.integer(3)))
        }
        stored.report.subjects = subjects
        stored.hasOthers =
            try first("SELECT 1 FROM report_subject WHERE report = $1 AND NOT (\(owned)) LIMIT 1", [number]) { _ in true
            }
            ?? false
        stored.exposed =
            try count(
                "SELECT count(DISTINCT COALESCE(CAST(p.person AS TEXT), e.kind || ':' || e.name)) FROM exposure e "
                    + "LEFT JOIN person_subject p ON p.name = e.name AND p.kind = e.kind WHERE e.report = $1", [number])
        stored.decision = try decision(report: stored.report.reference)
    }
}
