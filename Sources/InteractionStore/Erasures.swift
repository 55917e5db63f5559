import Crypto
import Matching
import SystemIO

/// Whose records aren't taken any more, because they were asked to be erased: what a gateway or broker still holds of them
/// would bring them back. A hash under a secret of this store stands for the name.
struct Erasures {
    private var times: [String: Int64] = [:]
    private var key: [UInt8]?
    private var count: Int64 = -1
    private var latest: Int64 = -1

    /// Reads what was erased since, also by another process.
    ///
    /// - Returns: whether there was something.
    mutating func refresh(_ session: any SQLSession) throws -> Bool {
        let state = try session.first("SELECT count(*), COALESCE(max(at), 0) FROM erased") {
            ($0.integer(0), $0.integer(1))
        }
        guard let state, state != (count, latest) else { return false }
        let isFirst = count < 0
        (count, latest) = state
        times = [:]
        try session.query("SELECT hash, at FROM erased") { row in
            if let hash = row.text(0) { times[hash] = row.integer(1) }
        }
        if !times.isEmpty { key = try Self.key(session) }
        return !isFirst
    }

    /// When a subject was erased, in seconds since 1970; `nil` for most.
    func time(of subject: SubjectIdentity) -> Int64? {
        guard !times.isEmpty, let key else { return nil }
        return times[Self.hash(subject, key)]
    }

    static func hash(_ subject: SubjectIdentity, _ key: [UInt8]) -> String {
        let code = HMAC<SHA256>.authenticationCode(for: Array(subject.description.utf8), using: SymmetricKey(data: key))
        return code.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
    }

    /// The secret of this store, which is made if it isn't there.
    static func key(_ session: any SQLSession) throws -> [UInt8] {
        let fresh = SymmetricKey(size: .bits256).withUnsafeBytes { bytes in
            bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
        }
        let kept = try session.first(
            "INSERT INTO secret (name, bytes) VALUES ('erasure', $1) "
                + "ON CONFLICT (name) DO UPDATE SET name = excluded.name RETURNING bytes", [.text(fresh)]
        ) { $0.text(0) ?? "" }
        return Array((kept ?? fresh).utf8)
    }
}
