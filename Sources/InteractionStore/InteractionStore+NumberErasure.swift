/// Data that is kept under a student's number, and not under the names of badges and phones.
extension InteractionStore {
    /// The stored data under a number, in rows.
    package struct NumberHoldings: Equatable, Sendable {
        /// Signatures for lectures.
        package var checkIns = 0
        package var corrections = 0
        /// Verdicts on lectures that were written down before their interactions were deleted.
        package var verdicts = 0
        /// Days with answers to the questionnaire.
        package var answers = 0
        /// Test results that somebody has sent in with the number, and that wait for an officer.
        package var submitted = 0

        package var attendance: Int { checkIns + corrections + verdicts }
        package var rows: Int { attendance + answers + submitted }
        package var isEmpty: Bool { rows == 0 }
    }

    /// The data that was erased under a number, and what is left.
    package struct NumberErasure: Equatable, Sendable {
        package var erased: NumberHoldings
        package var remaining: NumberHoldings

        /// Whether nothing is left.
        package var isComplete: Bool { remaining.isEmpty }
    }

    /// Returns the amounts of stored data under a number, as the roster and the register write it.
    ///
    /// - Throws: `StoreError`.
    package func holdings(ofNumber number: String) throws -> NumberHoldings {
        try database.read { session in
            func count(_ table: String, _ column: String) throws -> Int {
                try session.count("SELECT count(*) FROM \(table) WHERE \(column) = $1", [.text(number)])
            }
            return NumberHoldings(
                checkIns: try count("check_in", "student"), corrections: try count("correction", "student"),
                verdicts: try count("attendance", "student"), answers: try count("questionnaire", "number"),
                submitted: try session.submittedResultCount(number: number))
        }
    }

    /// Removes what is kept under a number, also from the unused parts of the database's files, and counts what is
    /// left. Verdicts on lectures whose interactions are still kept are derived again, until the student's badge and
    /// phone are erased too.
    ///
    /// - Parameters:
    ///   - keepsAttendance: whether signatures, corrections and verdicts stay. They do not count as left then.
    ///   - entry: entry of the audit, which is stored in the same transaction.
    /// - Throws: `StoreError`.
    package func erase(
        number: String, keepsAttendance: Bool = false, audit entry: AuditEntry? = nil
    ) throws -> NumberErasure {
        let erased = try database.write { session -> NumberHoldings in
            try session.lockShared()
            try session.note(entry)
            func delete(_ table: String, _ column: String) throws -> Int {
                try session.execute("DELETE FROM \(table) WHERE \(column) = $1", [.text(number)])
            }
            var erased = NumberHoldings(
                answers: try delete("questionnaire", "number"),
                submitted: try session.removeSubmittedResults(number: number))
            if keepsAttendance { return erased }
            erased.checkIns = try delete("check_in", "student")
            erased.corrections = try delete("correction", "student")
            erased.verdicts = try delete("attendance", "student")
            return erased
        }
        if !erased.isEmpty {
            try removeTraces(
                of: (erased.attendance > 0 ? StoreSchema.studentTables : [])
                    + ["questionnaire", "submitted_result", "submitted_picture"])
        }
        var remaining = try holdings(ofNumber: number)
        if keepsAttendance {
            remaining = NumberHoldings(answers: remaining.answers, submitted: remaining.submitted)
        }
        return NumberErasure(erased: erased, remaining: remaining)
    }
}
