/// How much of one day each gateway may have stored, so that a stolen one can't fill the disk. Pure.
///
/// A day is that of the record, and not that on which it comes: what waited out an outage of weeks has the room of all its
/// days.
struct IngestQuota: Sendable {
    /// Bytes of one gateway and day.
    var limit: Int64
    private var used: [Key: Int64] = [:]
    /// What the transaction that is under way takes.
    private var pending: [Key: Int64] = [:]

    private struct Key: Hashable {
        var gateway: String
        /// Since 1970.
        var day: Int64
    }

    /// Bytes that an interaction takes on disk with its indexes and names: 537 were measured for one of a subject that nobody
    /// had heard before.
    static let interaction: Int64 = 537
    /// The same of a subject in a record of readings, with its name.
    static let reading: Int64 = 100
    static let standardLimit: Int64 = 256_000_000
    /// Days that are remembered.
    private static let mostDays = 1_000_000

    init(limit: Int64 = IngestQuota.standardLimit) { self.limit = limit }

    /// Whether a gateway has had all of a day.
    func isExhausted(_ gateway: String, day: Int64) -> Bool { sum(Key(gateway: gateway, day: day)) >= limit }

    /// Takes room for something new. It is kept with `commit`, and given back with `rollBack`.
    ///
    /// - Returns: whether there was some.
    mutating func take(_ bytes: Int64, of gateway: String, day: Int64) -> Bool {
        let key = Key(gateway: gateway, day: day)
        guard sum(key) < limit else { return false }
        pending[key, default: 0] += bytes
        return true
    }

    /// What was taken is stored.
    mutating func commit() {
        if used.count >= Self.mostDays { used = [:] }
        used.merge(pending, uniquingKeysWith: +)
        pending = [:]
    }

    /// What was taken comes again.
    mutating func rollBack() { pending = [:] }

    /// Forgets days before one.
    mutating func forget(before day: Int64) {
        if used.contains(where: { $0.key.day < day }) { used = used.filter { $0.key.day >= day } }
    }

    private func sum(_ key: Key) -> Int64 { used[key, default: 0] + pending[key, default: 0] }
}
