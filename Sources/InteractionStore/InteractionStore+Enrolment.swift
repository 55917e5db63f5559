import Crypto
import OperatorText

extension InteractionStore {
    /// Codes that were issued together.
    package struct Enrolment: Equatable, Sendable {
        package var label: String
        package var codes: Int
        /// Number of phones that can enrol with the codes, followed by the number that have.
        package var uses: Int
        package var used: Int
        /// Time of expiry, in seconds since 1970.
        package var expires: Int64
    }

    /// Issues codes by which phones enrol. Only a keyed hash of each is kept.
    ///
    /// - Parameters:
    ///   - uses: number of phones that can enrol with each code.
    ///   - expires: seconds since 1970.
    ///   - now: seconds since 1970.
    /// - Throws: `StoreError`.
    package func issue(codes: [String], label: String, uses: Int, expires: Int64, now: Int64) throws {
        try database.write { session in
            try session.lockShared()
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

    /// Returns the issued codes that have not been deleted yet.
    ///
    /// - Throws: `StoreError`.
    package func enrolments() throws -> [Enrolment] {
        try database.read { session in
            var enrolments: [Enrolment] = []
            try session.query(
                "SELECT label, count(*), sum(uses), sum(used), max(expires) FROM enrolment "
                    + "GROUP BY label ORDER BY max(expires), label"
            ) { row in
                enrolments.append(
                    Enrolment(
                        label: row.text(0) ?? "", codes: Int(row.integer(1)), uses: Int(row.integer(2)),
                        used: Int(row.integer(3)), expires: row.integer(4)))
            }
            return enrolments
        }
    }

    /// Revokes codes. Phones that enrolled with them stay enrolled.
    ///
    /// - Returns: the number of codes.
    /// - Throws: `StoreError`.
    package func revokeEnrolment(label: String) throws -> Int {
        try database.write { session in
            try session.lockShared()
            return try session.execute("DELETE FROM enrolment WHERE label = $1", [.text(label)])
        }
    }

    private static func hash(_ code: String, _ key: String) -> String {
        HexadecimalText.of(
            HMAC<SHA256>.authenticationCode(for: Array(code.utf8), using: SymmetricKey(data: Array(key.utf8))))
    }
}
