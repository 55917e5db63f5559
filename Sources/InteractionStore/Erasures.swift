import Crypto
import Matching
import OperatorText
import SystemIO

/// Erased subjects, whose earlier records are not accepted any more: copies that a gateway or broker still holds would
/// bring the data back. A hash under a secret of this store stands for the name.
struct Erasures {
    private var times: [String: Int64] = [:]
    private var key: [UInt8]?
    private var count: Int64 = -1
    private var sum: Int64 = -1

    /// Reads new erasures, also those of other processes.
    ///
    /// - Returns: whether there were any.
    mutating func refresh(_ session: any SQLSession) throws -> Bool {
        guard let state = try Self.state(session), state != (count, sum) else { return false }
        let isFirst = count < 0
        let read = try Self.stored(session)
        if !read.isEmpty { key = try Self.key(session) }
        // Assigned last, when nothing can fail any more: once the state is assigned, the erasures are not read again.
        times = read
        (count, sum) = state
        return !isFirst
    }

    /// Whether there have been no erasures since they were read.
    func areCurrent(_ session: any SQLSession) throws -> Bool {
        try Self.state(session).map { $0 == (count, sum) } ?? true
    }

    /// Returns the times of all erasures by hashes, in seconds since 1970.
    private static func stored(_ session: any SQLSession) throws -> [String: Int64] {
        var times: [String: Int64] = [:]
        try session.query("SELECT hash, at FROM erased") { row in
            if let hash = row.text(0) { times[hash] = row.integer(1) }
        }
        return times
    }

    private static func state(_ session: any SQLSession) throws -> (Int64, Int64)? {
        try session.first("SELECT count(*), COALESCE(sum(at), 0) FROM erased") { ($0.integer(0), $0.integer(1)) }
    }

    /// Returns the time at which a subject was erased, in seconds since 1970; `nil` for most.
    func time(of subject: SubjectIdentity) -> Int64? {
        guard !times.isEmpty, let key else { return nil }
        return times[Self.hash(subject, key)]
    }

    static func hash(_ subject: SubjectIdentity, _ key: [UInt8]) -> String {
        let code = HMAC<SHA256>.authenticationCode(for: Array(subject.description.utf8), using: SymmetricKey(data: key))
        return HexadecimalText.of(code)
    }

    /// Returns the secret of this store; `nil` if it is missing, so that nothing was erased.
    static func presentKey(_ session: any SQLSession) throws -> [UInt8]? {
        try session.first("SELECT bytes FROM secret WHERE name = $1", [.text("erasure")]) {
            Array(($0.text(0) ?? "").utf8)
        }
    }

    /// Returns the secret of this store, which is created if it is missing.
    static func key(_ session: any SQLSession) throws -> [UInt8] {
        Array(try session.secret("erasure").utf8)
    }
}

extension Erasures {
    /// Reads the erasures and changes nothing, also within a transaction that only reads.
    init(reading session: any SQLSession) throws {
        self.init()
        times = try Self.stored(session)
        if !times.isEmpty { key = try Self.presentKey(session) }
    }
}

extension SQLSession {
    /// Returns 256 random bits of this store in hexadecimal, which are created if they are missing.
    package func secret(_ name: String) throws -> String {
        let fresh = SymmetricKey(size: .bits256).withUnsafeBytes { HexadecimalText.of($0) }
        let kept = try first(
            "INSERT INTO secret (name, bytes) VALUES ($1, $2) "
                + "ON CONFLICT (name) DO UPDATE SET name = excluded.name RETURNING bytes", [.text(name), .text(fresh)]
        ) { $0.text(0) ?? "" }
        return kept ?? fresh
    }
}
