package import Matching

extension InteractionStore {
    /// A report that was taken back, with what had followed from it.
    package struct Withdrawal: Equatable, Sendable {
        package var reportType: ReportType
        /// Who had reported, by all names.
        package var reporters: Set<SubjectIdentity>
        /// Subjects whose exposures followed from it; their notices have to be made anew.
        package var exposed: Set<SubjectIdentity>
    }

    /// Takes a report back: it, its entries in the list of positives and the exposures that followed from it are removed, and
    /// whoever was told of these is to be told what is left.
    ///
    /// Other than with `erase`, entries go that were shown: phones that heard the reporter would go on warning of somebody who
    /// isn't positive. That the entry was real can be seen by who fetches the list twice; docs/privacy.md names that price.
    ///
    /// - Parameter reference: the report's.
    /// - Returns: `nil` when there is no such report.
    /// - Throws: `StoreError`.
    package func withdraw(report reference: String) throws -> Withdrawal? {
        try database.write { session in
            // Nobody finds exposures of the report meanwhile.
            try session.lockExclusively()
            let report = try session.first("SELECT id, type FROM report WHERE reference = $1", [.text(reference)]) {
                (number: $0.integer(0), type: ReportType(rawValue: $0.text(1) ?? ""))
            }
            guard let report else { return nil }
            let reporters = try session.subjects(in: "report_subject", of: report.number)
            let exposed = try session.subjects(in: "exposure", of: report.number)
            try session.execute("DELETE FROM report_subject WHERE report = $1", [.integer(report.number)])
            try session.removeReportsOfNobody()
            return Withdrawal(reportType: report.type ?? .confirmed, reporters: reporters, exposed: exposed)
        }
    }
}

extension SQLSession {
    /// A report of nobody tells nothing, and what the list of positives had of it becomes filler. Whoever was told of it is to
    /// be told what is left.
    func removeReportsOfNobody() throws {
        try execute(
            "UPDATE notice SET stale = abs(stale) + 1 WHERE EXISTS (SELECT 1 FROM exposure e WHERE e.name = notice.name "
                + "AND e.kind = notice.kind AND e.report NOT IN (SELECT report FROM report_subject))")
        try execute("DELETE FROM exposure WHERE report NOT IN (SELECT report FROM report_subject)")
        let isOfNobody = "report <> $1 AND report NOT IN (SELECT report FROM report_subject)"
        let unlinked: [SQLValue] = [.integer(PositiveReport.Entry.unlinked)]
        try execute("DELETE FROM positive WHERE slot IS NULL AND \(isOfNobody)", unlinked)
        // Whoever kept the list may report its seeds and keys again, and isn't who said their codes.
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
