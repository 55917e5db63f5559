import Crypto
import OperatorText

extension InteractionStore {
    /// Codes that were issued together.
    package struct Enrolment: Equatable, Sendable {
        package var label: String
        package var codes: Int
        /// Number of phones for which the codes were issued, followed by the number that have enrolled. Codes that have
        /// expired count too.
        package var uses: Int
        package var used: Int
        /// Number of phones that can still enrol, with the codes that have not expired.
        package var left: Int
        /// Time at which the last code expires, in seconds since 1970.
        package var expires: Int64

        /// The codes that there are, without what phones have done with them.
        package var extent: Extent { Extent(codes: codes, uses: uses, expires: expires) }

        /// Codes of a label that somebody saw: others were issued or deleted since if it differs.
        package struct Extent: Equatable, Sendable {
            package var codes: Int
            package var uses: Int
            /// Time at which the last code expires, in seconds since 1970.
            package var expires: Int64

            package init(codes: Int, uses: Int, expires: Int64) {
                self.codes = codes
                self.uses = uses
                self.expires = expires
            }
        }
    }

    /// What became of the wish to revoke codes as they were seen.
    package enum EnrolmentRevocation: Equatable, Sendable {
        case done
        /// There are other codes now, or none. Nothing was revoked.
        case changed(Enrolment?)
    }

    /// Issues codes by which phones enrol. Only a keyed hash of each is kept.
    ///
    /// - Parameters:
    ///   - uses: number of phones that can enrol with each code.
    ///   - expires: seconds since 1970.
    ///   - now: seconds since 1970.
    ///   - entry: entry of the audit, which is stored in the same transaction.
    /// - Throws: `StoreError`.
    package func issue(
        codes: [String], label: String, uses: Int, expires: Int64, now: Int64, audit entry: AuditEntry? = nil
    ) throws {
        try database.write { session in
            try session.lockShared()
            try session.note(entry)
            let key = try session.secret("enrolment")
            for code in codes {
                try session.execute(
                    "INSERT INTO enrolment (hash, label, uses, used, issued, expires) VALUES ($1, $2, $3, 0, $4, $5) "
                        + "ON CONFLICT (hash) DO NOTHING",
                    [
                        .text(Self.hash(code, key)), .text(label), .integer(Int64(uses)), .integer(now),
                        .integer(expires),
                    ])
            }
        }
    }

    /// Consumes one use of a code.
    ///
    /// - Parameter now: seconds since 1970.
    /// - Returns: whether a use was left.
    /// - Throws: `StoreError`.
    package func enrol(code: String, now: Int64) throws -> Bool {
        try database.write { session in
            try session.lockShared()
            let key = try session.secret("enrolment")
            return try session.execute(
                "UPDATE enrolment SET used = used + 1 WHERE hash = $1 AND used < uses AND expires > $2",
                [.text(Self.hash(code, key)), .integer(now)]) == 1
        }
    }

    /// Returns the issued codes that have not been deleted yet, by labels. Those that expire first come first.
    ///
    /// - Parameter now: seconds since 1970; without it, no code counts as expired.
    /// - Throws: `StoreError`.
    package func enrolments(now: Int64 = 0) throws -> [Enrolment] {
        try database.read { session in try session.enrolments(of: nil, now: now) }
    }

    /// Returns the codes of a label; `nil` if there are none.
    ///
    /// - Parameter now: seconds since 1970.
    /// - Throws: `StoreError`.
    package func enrolment(label: String, now: Int64) throws -> Enrolment? {
        try database.read { session in try session.enrolments(of: label, now: now).first }
    }

    /// Revokes codes. Phones that enrolled with them stay enrolled.
    ///
    /// - Parameter entry: entry of the audit, which is stored in the same transaction if there were codes.
    /// - Returns: the number of codes.
    /// - Throws: `StoreError`.
    package func revokeEnrolment(label: String, audit entry: AuditEntry? = nil) throws -> Int {
        try database.write { session in
            try session.lockShared()
            let count = try session.execute("DELETE FROM enrolment WHERE label = $1", [.text(label)])
            if count > 0 { try session.note(entry) }
            return count
        }
    }

    /// Revokes codes as an operator saw them. Phones that enrolled with them stay enrolled.
    ///
    /// - Parameters:
    ///   - seen: codes that the operator saw; `nil` if that is not known.
    ///   - entry: entry of the audit, which is stored in the same transaction if the codes were revoked.
    /// - Throws: `StoreError`.
    package func revokeEnrolment(
        label: String, seen: Enrolment.Extent?, audit entry: AuditEntry
    ) throws -> EnrolmentRevocation {
        try database.write { session -> EnrolmentRevocation in
            // Nobody issues codes between the look and the deletion.
            try session.lockExclusively()
            let present = try session.enrolments(of: label, now: entry.at).first
            guard let codes = present, codes.extent == seen else { return .changed(present) }
            try session.execute("DELETE FROM enrolment WHERE label = $1", [.text(label)])
            try session.note(entry)
            return .done
        }
    }

    private static func hash(_ code: String, _ key: String) -> String {
        HexadecimalText.of(
            HMAC<SHA256>.authenticationCode(for: Array(code.utf8), using: SymmetricKey(data: Array(key.utf8))))
    }
}

extension SQLSession {
    /// Returns issued codes by labels. Those that expire first come first.
    ///
    /// - Parameters:
    ///   - label: `nil` for all labels.
    ///   - now: seconds since 1970.
    fileprivate func enrolments(of label: String?, now: Int64) throws -> [InteractionStore.Enrolment] {
        var values: [SQLValue] = [.integer(now)]
        if let label { values.append(.text(label)) }
        var enrolments: [InteractionStore.Enrolment] = []
        try query(
            "SELECT label, count(*), sum(uses), sum(used), sum(CASE WHEN expires > $1 THEN uses - used ELSE 0 END), "
                + "max(expires) FROM enrolment \(label == nil ? "" : "WHERE label = $2 ")"
                + "GROUP BY label ORDER BY max(expires), label", values
        ) { row in
            enrolments.append(
                InteractionStore.Enrolment(
                    label: row.text(0) ?? "", codes: Int(row.integer(1)), uses: Int(row.integer(2)),
                    used: Int(row.integer(3)), left: Int(row.integer(4)), expires: row.integer(5)))
        }
        return enrolments
    }
}
