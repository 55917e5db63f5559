import OperatorText

/// E-mails to people of the register: a queue that survives restarts.
extension InteractionStore {
    /// Maximum length of a stored reason, in Unicode scalars.
    private static let longestError = 300

    /// Orders e-mails. A person for whom one waits gets no second one, and who is not in the register gets none.
    ///
    /// - Parameters:
    ///   - recipients: numbers of people with their addresses.
    ///   - entry: returns what is noted in the audit in the same transaction, given the number of e-mails.
    ///   - now: seconds since 1970.
    /// - Returns: the number of e-mails that were ordered.
    /// - Throws: `StoreError`.
    package func orderMail(
        to recipients: [(number: String, address: String)], kind: StoredMail.Kind, now: Int64,
        audit entry: ((Int) -> AuditEntry)? = nil
    ) throws -> Int {
        try database.write { session in
            try session.lockShared()
            var count = 0
            for (number, address) in recipients {
                count += try session.orderMail(to: number, at: address, kind: kind, now: now)
            }
            if let entry { try session.note(entry(count)) }
            return count
        }
    }

    /// Returns the latest e-mail of each of some people, by number.
    ///
    /// - Throws: `StoreError`.
    package func latestMail(of numbers: Set<String>) throws -> [String: StoredMail] {
        if numbers.isEmpty { return [:] }
        return try database.read { session in
            var latest: [String: StoredMail] = [:]
            try session.find(
                StoredMail.columns, in: "mail", where: "number", is: numbers.sorted(), isLocking: false
            ) { row in
                guard let mail = StoredMail(row), latest[mail.number].map({ $0.id < mail.id }) ?? true else { return }
                latest[mail.number] = mail
            }
            return latest
        }
    }

    /// Returns the e-mails that are due, those that have waited longest first.
    ///
    /// - Throws: `StoreError`.
    package func dueMail(now: Int64, limit: Int) throws -> [StoredMail] {
        try database.read { session in
            var due: [StoredMail] = []
            try session.query(
                "SELECT \(StoredMail.columns) FROM mail WHERE state = 'queued' AND next <= $1 "
                    + "ORDER BY next, id LIMIT $2",
                [.integer(now), .integer(Int64(limit))]
            ) { if let mail = StoredMail($0) { due.append(mail) } }
            return due
        }
    }

    /// Notes that an e-mail is about to be tried, before it is: a program that crashes while it sends tries it again
    /// only when `next` has come.
    ///
    /// - Parameter address: the person's present address.
    /// - Returns: whether it is still ordered.
    /// - Throws: `StoreError`.
    package func beginMail(_ mail: StoredMail, to address: String, next: Int64) throws -> Bool {
        try database.write { session in
            try session.lockShared()
            return try session.execute(
                "UPDATE mail SET tries = tries + 1, next = $2, address = $3 "
                    + "WHERE id = $1 AND state = 'queued' AND tries = $4",
                [.integer(mail.id), .integer(next), .text(address), .integer(Int64(mail.tries))]) > 0
        }
    }

    /// Notes what has become of an e-mail.
    ///
    /// - Parameters:
    ///   - state: `queued` for one that is tried again.
    ///   - error: why it was not sent.
    ///   - now: seconds since 1970.
    /// - Throws: `StoreError`.
    package func setMail(_ id: Int64, to state: StoredMail.State, error: String = "", now: Int64) throws {
        let error = error.shown(upTo: Self.longestError)
        try database.write { session in
            try session.lockShared()
            try session.execute(
                "UPDATE mail SET state = $2, error = $3, sent = $4 WHERE id = $1 AND state = 'queued'",
                [
                    .integer(id), .text(state.rawValue), .text(error), .integer(state == .sent ? now : nil),
                ])
        }
    }

    /// Gives up e-mails that were ordered too long ago, and deletes those of which nothing has to be known any more.
    ///
    /// - Parameters:
    ///   - lifetime: seconds after which an e-mail is given up.
    ///   - time: e-mails ordered before it are deleted, in seconds since 1970.
    /// - Returns: the number of e-mails that were given up.
    /// - Throws: `StoreError`.
    package func endOldMail(lifetime: Int64, before time: Int64, now: Int64) throws -> Int {
        try database.write { session in
            try session.lockShared()
            let count = try session.execute(
                "UPDATE mail SET state = 'failed', "
                    + "error = CASE WHEN error = '' THEN 'it could not be sent in time' ELSE error END "
                    + "WHERE state = 'queued' AND created <= $1", [.integer(now - lifetime)])
            try session.execute("DELETE FROM mail WHERE state <> 'queued' AND created < $1", [.integer(time)])
            return count
        }
    }
}

extension SQLSession {
    /// Orders an e-mail, unless one waits or the person is not in the register.
    ///
    /// - Returns: the number of e-mails that were ordered: 0 or 1.
    func orderMail(to number: String, at address: String, kind: StoredMail.Kind, now: Int64) throws -> Int {
        try execute(
            "INSERT INTO mail (number, address, kind, state, tries, next, error, created) "
                + "SELECT number, CAST($2 AS TEXT), CAST($3 AS TEXT), 'queued', 0, CAST($4 AS BIGINT), '', "
                + "CAST($4 AS BIGINT) "
                + "FROM person WHERE number = $1 "
                + "AND NOT EXISTS (SELECT 1 FROM mail WHERE number = $1 AND state = 'queued') ON CONFLICT DO NOTHING",
            [.text(number), .text(address), .text(kind.rawValue), .integer(now)])
    }

    /// Removes the e-mails of people and whether they want any, by the numbers of their rows in the register.
    ///
    /// - Parameter keepsPreferences: whether the people stay in the register, and only the e-mails are removed.
    func removeMail(of ids: [Int64], keepsPreferences: Bool = false) throws {
        let areTheirs = { (list: String) in "number IN (SELECT number FROM person WHERE id IN (\(list)))" }
        try inParts(ids) { list, arguments in
            try execute("DELETE FROM mail WHERE \(areTheirs(list))", arguments)
            if !keepsPreferences { try execute("DELETE FROM mail_wish WHERE \(areTheirs(list))", arguments) }
        }
    }
}
