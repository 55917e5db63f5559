/// Test results that were sent in on the page, with their pictures.
extension InteractionStore {
    /// Maximum number of drafts, and of bytes of their pictures.
    package static let mostDrafts = 64
    package static let mostDraftBytes: Int64 = 100_000_000
    /// Maximum number of results that wait for an officer, and of bytes of their pictures. Those with a code have the
    /// same number of places of their own: anybody can send pictures, and must not keep out whoever has a code.
    package static let mostWaitingResults = 500
    package static let mostWaitingBytes: Int64 = 1_000_000_000
    /// Seconds for which a draft, and a result that waits, are kept.
    package static let draftLifetime: Int64 = 3600
    package static let waitingLifetime: Int64 = 7 * 86_400
    /// Seconds by which a result that waits is removed earlier: its picture can have been stored as a draft before, and
    /// what has expired is looked for every five minutes only.
    package static let waitingMargin: Int64 = draftLifetime + 600

    /// Stores a draft, in the place of the one with its reference. Drafts that have expired make room.
    ///
    /// - Parameters:
    ///   - result: its state and its time do not count: it becomes a draft of `now`.
    ///   - picture: the stripped picture; `nil` if a picture that is already stored stays.
    ///   - now: seconds since 1970.
    /// - Returns: `false` if there would be too many drafts or bytes, or if the result was already sent; then nothing
    ///   is stored.
    /// - Throws: `StoreError`.
    package func keepDraft(_ result: SubmittedResult, picture: [UInt8]?, now: Int64) throws -> Bool {
        var draft = result
        draft.state = .draft
        draft.at = now
        return try keepingBounds { session in
            try session.removeSubmittedResults("state = 'draft' AND at <= $1", [.integer(now - Self.draftLifetime)])
            guard try session.save(draft) else { throw NoRoom() }
            if let picture {
                try session.execute(
                    "INSERT INTO submitted_picture (reference, bytes) VALUES ($1, $2) "
                        + "ON CONFLICT (reference) DO UPDATE SET bytes = excluded.bytes",
                    [.text(draft.reference), .blob(picture)])
            }
            try session.check("state = 'draft'", most: Self.mostDrafts, bytes: Self.mostDraftBytes)
        }
    }

    /// Lets a result wait for an officer. A draft becomes such a result with what was typed; its picture, and what was
    /// read from it, stay as they are stored. A result with a code needs no draft.
    ///
    /// - Parameters:
    ///   - result: its state and its time do not count: it waits from `now` on.
    ///   - now: seconds since 1970.
    /// - Returns: `false` if too many wait, or if its draft is gone or was already sent: `submittedResult` tells which.
    ///   Then nothing changes.
    /// - Throws: `StoreError`.
    package func send(_ result: SubmittedResult, now: Int64) throws -> Bool {
        try keepingBounds { try Self.send(result, now: now, to: $0) }
    }

    /// Lets a result wait for an officer, in the present transaction.
    ///
    /// - Throws: `NoRoom`, after which the transaction must be rolled back.
    static func send(_ result: SubmittedResult, now: Int64, to session: any SQLSession) throws {
        var sent = result
        sent.state = .waiting
        sent.at = now
        let condition: String
        switch sent.proof {
        case .picture:
            condition = "state = 'waiting' AND proof = 'picture'"
            guard try session.submit(sent, draftAfter: now - draftLifetime) else { throw NoRoom() }
        case .code:
            condition = "state = 'waiting' AND proof = 'code'"
            guard try session.save(sent) else { throw NoRoom() }
            try session.execute("DELETE FROM submitted_picture WHERE reference = $1", [.text(sent.reference)])
        }
        try session.check(condition, most: mostWaitingResults, bytes: mostWaitingBytes)
    }

    /// Returns a draft, or a result that waits; `nil` if there is none.
    ///
    /// - Throws: `StoreError`.
    package func submittedResult(_ reference: String) throws -> SubmittedResult? {
        try database.read { session in
            try session.submittedResults("reference = $1", [.text(reference)]).first
        }
    }

    /// Returns the picture of a draft, or of a result that waits; `nil` if there is none.
    ///
    /// - Throws: `StoreError`.
    package func picture(ofSubmittedResult reference: String) throws -> [UInt8]? {
        try database.read { session in
            try session.first("SELECT bytes FROM submitted_picture WHERE reference = $1", [.text(reference)]) {
                $0.blob(0)
            }
        }
    }

    /// Returns the results that wait for an officer, the oldest first.
    ///
    /// - Parameter limit: the maximum number of results.
    /// - Returns: also whether there are more.
    /// - Throws: `StoreError`.
    package func waitingResults(limit: Int) throws -> (results: [SubmittedResult], more: Bool) {
        try database.read { session in
            let results = try session.submittedResults(
                "state = 'waiting' ORDER BY at, reference LIMIT $1", [.integer(Int64(limit) + 1)])
            return (Array(results.prefix(limit)), results.count > limit)
        }
    }

    /// Returns the number of results that wait for an officer.
    ///
    /// - Throws: `StoreError`.
    package func waitingResultCount() throws -> Int {
        try database.read { session in
            try session.count("SELECT count(*) FROM submitted_result WHERE state = 'waiting'")
        }
    }

    /// Removes a result about which an officer has decided, with its picture, in one transaction with the entry of the
    /// audit.
    ///
    /// - Returns: `false` if it does not wait any more: another officer was faster, or it has expired. Then there is no
    ///   entry.
    /// - Throws: `StoreError`.
    package func decide(submittedResult reference: String, audit entry: AuditEntry) throws -> Bool {
        try database.write { session in
            try session.lockShared()
            let count = try session.removeSubmittedResults(
                "reference = $1 AND state = 'waiting'", [.text(reference)])
            if count > 0 { try session.note(entry) }
            return count > 0
        }
    }

    /// Removes drafts and results that have expired, with their pictures.
    ///
    /// - Parameter now: seconds since 1970.
    /// - Returns: the number of drafts and results.
    /// - Throws: `StoreError`.
    package func expireSubmittedResults(now: Int64) throws -> Int {
        try database.write { session in
            try session.lockShared()
            // Those of a clock that was ahead would otherwise stay until that time.
            try session.execute("UPDATE submitted_result SET at = $1 WHERE at > $1", [.integer(now)])
            return try session.removeSubmittedResults(
                "at <= CASE state WHEN 'draft' THEN CAST($1 AS BIGINT) ELSE CAST($2 AS BIGINT) END",
                [
                    .integer(now - Self.draftLifetime),
                    .integer(now - (Self.waitingLifetime - Self.waitingMargin)),
                ])
        }
    }

    /// Returns the number of drafts and results whose sender has typed a number.
    ///
    /// - Throws: `StoreError`.
    package func submittedResultCount(number: String) throws -> Int {
        try database.read { try $0.submittedResultCount(number: number) }
    }

    /// Runs `body` in a transaction, which is rolled back if there is no room.
    func keepingBounds(_ body: (any SQLSession) throws -> Void) throws -> Bool {
        do {
            try database.write { session in
                try session.lockShared()
                try body(session)
            }
            return true
        } catch is NoRoom {
            return false
        }
    }
}

/// Reason for which a transaction is rolled back.
struct NoRoom: Error {}

extension SQLSession {
    /// Removes the drafts and results whose sender has typed the number of a person, by the numbers of the rows in the
    /// register. Numbers are compared without regard to case.
    func removeSubmittedResults(of ids: [Int64]) throws {
        try inParts(ids) { list, arguments in
            try removeSubmittedResults(
                "lower(trim(number)) IN (SELECT lower(number) FROM person WHERE id IN (\(list)))", arguments)
        }
    }

    /// Removes the drafts and results whose sender has typed a number, with their pictures.
    ///
    /// - Returns: the number of drafts and results.
    func removeSubmittedResults(number: String) throws -> Int {
        try removeSubmittedResults("lower(trim(number)) = $1", [.lowercase(number)])
    }

    func submittedResultCount(number: String) throws -> Int {
        try count("SELECT count(*) FROM submitted_result WHERE lower(trim(number)) = $1", [.lowercase(number)])
    }

    /// Removes drafts and results with their pictures.
    @discardableResult
    func removeSubmittedResults(_ condition: String, _ arguments: [SQLValue]) throws -> Int {
        let count = try execute("DELETE FROM submitted_result WHERE \(condition)", arguments)
        // After the rows: a draft that another process sends meanwhile keeps its row, and must keep its picture.
        try execute(
            "DELETE FROM submitted_picture WHERE NOT EXISTS (SELECT 1 FROM submitted_result r "
                + "WHERE r.reference = submitted_picture.reference)")
        return count
    }

    fileprivate func check(_ condition: String, most: Int, bytes: Int64) throws {
        let total = try first(
            "SELECT count(*), CAST(COALESCE(sum(byte_count), 0) AS BIGINT) FROM submitted_result WHERE \(condition)"
        ) { (count: $0.integer(0), bytes: $0.integer(1)) }
        guard let total, total.count <= Int64(most), total.bytes <= bytes else { throw NoRoom() }
    }
}

extension SQLValue {
    /// A number as `lower` returns that of its column: with the letters of ASCII in lower case. Of an argument,
    /// PostgreSQL changes other letters too.
    fileprivate static func lowercase(_ number: String) -> SQLValue {
        let capitals = UInt8(ascii: "A")...UInt8(ascii: "Z")
        return .text(String(decoding: number.utf8.map { capitals.contains($0) ? $0 | 0x20 : $0 }, as: UTF8.self))
    }
}
