import Matching

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

    /// Returns the subjects that a report exposed, each once, by kind and name.
    func exposedSubjects(of report: Int64, limit: Int = .max) throws -> [SubjectIdentity] {
        var subjects: [SubjectIdentity] = []
        try query(
            "SELECT DISTINCT kind, name FROM exposure WHERE report = $1 ORDER BY kind, name LIMIT $2",
            [.integer(report), .integer(Int64(limit))]
        ) { row in
            if let subject = SubjectIdentity(kind: row.text(0) ?? "", id: row.text(1) ?? "") {
                subjects.append(subject)
            }
        }
        return subjects
    }
}
