package import Matching

/// Steps with test results that were sent in on the page, all or none of which are carried out. A process can end
/// between two transactions, and then a code would be used up for nothing.
extension InteractionStore {
    /// Use of a code on the page.
    package enum Redemption: Sendable {
        /// The report is filed, and counts at once.
        case report(PositiveReport)
        /// The result waits for an officer.
        case result(SubmittedResult)
    }

    package enum Redeemed: Equatable, Sendable {
        case done
        /// There is no such code, or it has expired.
        case noCode
        /// Too many results wait. The code can still be used.
        case noRoom
    }

    /// Returns a code that can be used; `nil` if there is none with this hash, or it has expired.
    ///
    /// - Parameter now: seconds since 1970.
    /// - Throws: `StoreError`.
    package func openCode(_ hash: String, now: Int64) throws -> IssuedCode? {
        try database.read { try $0.openCode(hash, now: now) }
    }

    /// Uses a code up, files the report or lets the result wait, and notes it in the audit, in one transaction.
    ///
    /// - Parameter now: seconds since 1970.
    /// - Throws: `StoreError`; the code can still be used then.
    package func redeem(
        code hash: String, as redemption: Redemption, audit entry: AuditEntry, now: Int64
    ) throws -> Redeemed {
        var isThere = false
        let hasRoom = try keepingBounds { session in
            isThere = try session.take(code: hash, now: now) != nil
            guard isThere else { return }
            switch redemption {
            case .report(let report):
                _ = try Self.add(report, to: session)
                // The sender may have chosen a picture before.
                try session.removeSubmittedResults(
                    "reference = $1 AND state = 'draft'", [.text(report.reference)])
            case .result(let result): try Self.send(result, now: now, to: session)
            }
            try session.note(entry)
        }
        guard isThere else { return .noCode }
        return hasRoom ? .done : .noRoom
    }

    /// Files the report of a result that waits, deletes the result with its picture, and notes it in the audit, in one
    /// transaction.
    ///
    /// - Parameter report: it has the reference of the result.
    /// - Returns: `false` if the result does not wait any more; then nothing is filed.
    /// - Throws: `StoreError`.
    package func fileResult(_ report: PositiveReport, audit entry: AuditEntry) throws -> Bool {
        try database.write { session in
            try session.lockShared()
            let count = try session.removeSubmittedResults(
                "reference = $1 AND state = 'waiting'", [.text(report.reference)])
            guard count > 0 else { return false }
            _ = try Self.add(report, to: session)
            try session.note(entry)
            return true
        }
    }
}
