package import Matching

extension InteractionStore {
    /// A withdrawn report, with what had followed from it.
    package struct Withdrawal: Equatable, Sendable {
        package var reportType: ReportType
        /// The subjects of the report, by all names.
        package var reporters: Set<SubjectIdentity>
        /// Subjects whose exposures followed from the report; their notices must be made again.
        package var exposed: Set<SubjectIdentity>
    }

    /// Withdraws a report. The report, its entries in the list of positives and the exposures that followed from it are
    /// removed, and subjects that were notified of these exposures are notified of what is left.
    ///
    /// Unlike with `erase`, published entries are removed as well: phones that heard the reporter would otherwise
    /// continue to warn of a person who is not positive. A client that fetches the list twice can see that the entry
    /// was real; docs/privacy.md names that price.
    ///
    /// - Parameters:
    ///   - reference: reference of the report.
    ///   - entry: entry of the audit, which is stored in the same transaction.
    /// - Returns: `nil` when there is no such report.
    /// - Throws: `StoreError`.
    package func withdraw(report reference: String, audit entry: AuditEntry? = nil) throws -> Withdrawal? {
        try database.write { session in
            // Keeps other processes from finding exposures of the report in the meantime.
            try session.lockExclusively()
            let report = try session.first("SELECT id, type FROM report WHERE reference = $1", [.text(reference)]) {
                (number: $0.integer(0), type: ReportType(rawValue: $0.text(1) ?? ""))
            }
            guard let report else { return nil }
            try session.note(entry)
            let reporters = try session.subjects(in: "report_subject", of: report.number)
            let exposed = try session.subjects(in: "exposure", of: report.number)
            try session.execute("DELETE FROM report_subject WHERE report = $1", [.integer(report.number)])
            try session.removeReportsOfNobody()
            return Withdrawal(reportType: report.type ?? .confirmed, reporters: reporters, exposed: exposed)
        }
    }
}

extension SQLSession {
    /// Removes reports without subjects. Such a report says nothing, and its entries in the list of positives become
    /// filler. Subjects that were notified of it are notified of what is left.
    func removeReportsOfNobody() throws {
        try execute(
            "UPDATE notice SET stale = abs(stale) + 1 WHERE EXISTS (SELECT 1 FROM exposure e WHERE e.name = notice.name "
                + "AND e.kind = notice.kind AND e.report NOT IN (SELECT report FROM report_subject))")
        try execute("DELETE FROM exposure WHERE report NOT IN (SELECT report FROM report_subject)")
        let isOfNobody = "report <> $1 AND report NOT IN (SELECT report FROM report_subject)"
        let unlinked: [SQLValue] = [.integer(PositiveReport.Entry.unlinked)]
        try execute("DELETE FROM positive WHERE slot IS NULL AND \(isOfNobody)", unlinked)
        // A client that kept the list could report its seeds and keys again, although it never transmitted their codes.
        try execute("UPDATE positive SET pending = 2, report = $1 WHERE \(isOfNobody)", unlinked)
        try execute("DELETE FROM report WHERE id NOT IN (SELECT report FROM report_subject)")
    }

    fileprivate func subjects(in table: String, of report: Int64) throws -> Set<SubjectIdentity> {
        var subjects: Set<SubjectIdentity> = []
        try query("SELECT DISTINCT kind, name FROM \(table) WHERE report = $1", [.integer(report)]) { row in
            if let subject = SubjectIdentity(kind: row.text(0) ?? "", id: row.text(1) ?? "") {
                subjects.insert(subject)
            }
        }
        return subjects
    }
}
