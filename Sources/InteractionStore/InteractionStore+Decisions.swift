package import Matching

/// Decisions of officers about reports, on the page and at the command line.
extension InteractionStore {
    /// The result of a decision.
    package enum Decided: Equatable, Sendable {
        case done(Before)
        /// Another officer was faster, or the report was decided before.
        case already(ReportDecision)
        /// The report was to be confirmed or refused, and nothing in it waits. Nothing was changed.
        case nothingWaits
        case unknownReport
    }

    /// What a report was before a decision.
    package struct Before: Equatable, Sendable {
        package var type: ReportType
        /// Parts that waited.
        package var waiting: FiledReport.Waiting
        /// Subjects whose exposures followed from the report; their notices must be made again if it is deleted.
        package var exposed: Set<SubjectIdentity>

        package init(type: ReportType, waiting: FiledReport.Waiting, exposed: Set<SubjectIdentity>) {
            self.type = type
            self.waiting = waiting
            self.exposed = exposed
        }
    }

    /// Confirms, refuses or withdraws a report, in one transaction with the entry of the audit.
    ///
    /// A confirmed report counts as confirmed from then on, with all codes that waited. A report that is refused or
    /// withdrawn is removed with all that followed from it, and subjects that were notified are notified of what is
    /// left. A report that was confirmed before can still be withdrawn.
    ///
    /// Unlike with `erase`, published entries are removed as well: phones that heard the reporter would otherwise
    /// continue to warn of a person who is not positive. A client that fetches the list twice can see that the entry
    /// was real; docs/privacy.md names that price.
    ///
    /// - Throws: `StoreError`.
    package func decide(_ decision: ReportDecision, report reference: String, audit: AuditEntry) throws -> Decided {
        try database.write { session -> Decided in
            // Keeps other processes from matching or publishing half of it, or finding its exposures, in the meantime.
            try session.lockExclusively()
            if let earlier = try session.decision(report: reference),
                !(earlier.kind == .confirmed && decision.kind == .withdrawn)
            {
                return .already(earlier)
            }
            let report = try session.first("SELECT id, type FROM report WHERE reference = $1", [.text(reference)]) {
                (number: $0.integer(0), type: ReportType(rawValue: $0.text(1) ?? "") ?? .confirmed)
            }
            guard let (number, type) = report else { return .unknownReport }
            let before = Before(
                type: type, waiting: try session.waiting(of: number),
                exposed: Set(try session.exposedSubjects(of: number)))
            if decision.kind != .withdrawn, type == .confirmed, before.waiting.isEmpty { return .nothingWaits }
            switch decision.kind {
            case .confirmed:
                try session.execute(
                    "UPDATE report SET type = $2, matched = 0 WHERE id = $1",
                    [.integer(number), .text(ReportType.confirmed.rawValue)])
                for table in ["report_subject", "positive"] {
                    try session.execute(
                        "UPDATE \(table) SET pending = 0 WHERE report = $1 AND pending = 1", [.integer(number)])
                }
            case .refused, .withdrawn:
                try session.execute("DELETE FROM report_subject WHERE report = $1", [.integer(number)])
                try session.removeReportsOfNobody()
            }
            try session.execute(
                "INSERT INTO report_decision (report, decision, reason, name, at) VALUES ($1, $2, $3, $4, $5) "
                    + "ON CONFLICT (report) DO UPDATE SET decision = excluded.decision, reason = excluded.reason, "
                    + "name = excluded.name, at = excluded.at",
                [
                    .text(reference), .text(decision.kind.rawValue), .text(decision.reason), .text(decision.name),
                    .integer(decision.at),
                ])
            try session.note(audit)
            return .done(before)
        }
    }

    /// Returns the decision about a report; `nil` if there is none.
    ///
    /// - Throws: `StoreError`.
    package func decision(report reference: String) throws -> ReportDecision? {
        try database.read { try $0.decision(report: reference) }
    }
}

extension SQLSession {
    func decision(report reference: String) throws -> ReportDecision? {
        try first(
            "SELECT decision, reason, name, at FROM report_decision WHERE report = $1", [.text(reference)]
        ) { row -> ReportDecision? in
            guard let kind = ReportDecision.Kind(rawValue: row.text(0) ?? "") else { return nil }
            return ReportDecision(kind, reason: row.text(1) ?? "", name: row.text(2) ?? "", at: row.integer(3))
        } ?? nil
    }
}
