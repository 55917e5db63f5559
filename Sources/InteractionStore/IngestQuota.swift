import Matching

/// How much of one day each gateway may have stored, so that a stolen one can't fill the disk. Pure.
///
/// It is asked before anything is written. Everything counts for the day of its record, and for the day on which it comes:
/// what waited out an outage has the room of all its days, and who spreads inventions over many days has that of a week.
/// A process that begins counts the interactions of a day that are stored already; it doesn't know on which day they came, and
/// what else was taken.
struct IngestQuota: Sendable {
    /// The days of a record, since 1970.
    struct Days: Equatable, Sendable {
        /// On which that began of which it tells.
        var told: Int64
        /// On which it came.
        var received: Int64
    }

    /// Bytes of one gateway and day.
    var limit: Int64
    private var used: [Key: Int64] = [:]
    /// What the transaction that is under way takes.
    private var pending: [Key: Int64] = [:]
    /// Days of which it is known what was stored before.
    private var counted: Set<Int64> = []
    /// Those of gateways that were heard of on the latest day.
    private var receivers: [String: Set<String>] = [:]
    private var receiversDay: Int64 = .min

    /// What was taken for company, and what the transaction that is under way takes for it.
    private var companies: [CompanyKey: Int64] = [:]
    private var pendingCompanies: [CompanyKey: Int64] = [:]

    private struct CompanyKey: Hashable {
        var gateway: String
        /// Quarters of an hour since 1970.
        var block: Int64
    }

    private struct Key: Hashable {
        var gateway: String
        /// Since 1970.
        var day: Int64
        /// Whether the day is that on which records came.
        var isOfReceipt: Bool
    }

    /// Bytes that an interaction takes on disk with its indexes and names: 537 were measured for one of a subject that nobody
    /// had heard before.
    static let interaction: Int64 = 537
    /// The same of a subject in a record of readings, with its vectors.
    static let reading: Int64 = 100
    /// The most that a subject's row of company takes in a block: 200 others on a floor (`BlockComparison`), each of 3 bytes
    /// for a number, 2 for minutes and 8 for levels, are 2,600 bytes, and 100 are for the row.
    static let companyRow: Int64 = 2700
    /// The most that the company of a block takes of subjects whom one gateway alone heard: 100 of them are compared. So each
    /// subject of a record counts as a row until a gateway has had so much of a block, 26 MB of a day. With it a gateway that
    /// has 500 badges in reach all day, 1,440 minutes of 50,100 bytes, has 98 MB of its 256. Whom several gateways heard is
    /// in at most 2,000 rows of a floor, and all of these gateways have that room.
    static let company: Int64 = 100 * companyRow
    /// The same of a subject's name that only readings have.
    static let name: Int64 = 200
    /// The same of a block of `PositionMemory`.
    static let block: Int64 = 256
    static let standardLimit: Int64 = 256_000_000
    /// So many days' room is there for what comes on one day: a gateway keeps records for three days, if it isn't told otherwise.
    static let receivedDays: Int64 = 8
    /// A gateway and its ears, of one day: each is a place. A gateway looks after 64 ears, and modules that listen.
    static let mostReceivers = 256
    /// Days that are remembered, and blocks.
    private static let mostDays = 1_000_000

    init(limit: Int64 = IngestQuota.standardLimit) { self.limit = limit }

    /// Whether it is known what was stored of a day before this process took anything.
    func hasCounted(_ day: Int64) -> Bool { counted.contains(day) }

    /// Begins a day with what is stored of it: most of that came on the day itself.
    ///
    /// - Parameter interactions: how many, by gateway.
    mutating func count(_ interactions: [String: Int64], storedOf day: Int64) {
        guard counted.insert(day).inserted else { return }
        let days = Days(told: day, received: day)
        for (gateway, count) in interactions {
            used[Self.told(gateway, days), default: 0] += Self.interaction * count
            used[Self.received(gateway, days), default: 0] += Self.interaction * count
        }
    }

    /// Whether a gateway has had all of a record's days.
    func isExhausted(_ gateway: String, _ days: Days) -> Bool {
        sum(Self.told(gateway, days)) >= limit || sum(Self.received(gateway, days)) / Self.receivedDays >= limit
    }

    /// Takes room for something new. It is kept with `commit`, and given back with `rollBack`.
    ///
    /// - Returns: whether there was some.
    mutating func take(_ bytes: Int64, of gateway: String, _ days: Days) -> Bool {
        if isExhausted(gateway, days) { return false }
        add(bytes, of: gateway, days)
        return true
    }

    /// Takes room for a record of readings, and for what settling makes of it.
    ///
    /// - Parameters:
    ///   - blocks: that it is about, in quarters of an hour since 1970.
    ///   - more: bytes that it takes besides.
    /// - Returns: whether there was some.
    mutating func takeReadings(
        of subjects: Int, inBlocks blocks: Set<Int64>, and more: Int64, of gateway: String, _ days: Days
    ) -> Bool {
        if isExhausted(gateway, days) { return false }
        var bytes = Self.reading * Int64(subjects + 1) + more
        for block in blocks {
            let key = CompanyKey(gateway: gateway, block: block)
            let had = companies[key, default: 0] + pendingCompanies[key, default: 0]
            let room = min(Self.companyRow * Int64(subjects), max(0, Self.company - had))
            if room == 0 { continue }
            pendingCompanies[key, default: 0] += room
            bytes += room
        }
        add(bytes, of: gateway, days)
        return true
    }

    /// Takes room for what a record has that is stored already, also where there is none any more.
    mutating func add(_ bytes: Int64, of gateway: String, _ days: Days) {
        pending[Self.told(gateway, days), default: 0] += bytes
        pending[Self.received(gateway, days), default: 0] += bytes
    }

    /// Whether a gateway may have a receiver more, on the day on which that is heard of.
    mutating func admits(receiver: String, of gateway: String, on day: Int64) -> Bool {
        if receiver == gateway { return true }
        if day != receiversDay { (receivers, receiversDay) = ([:], day) }
        if receivers[gateway]?.contains(receiver) == true { return true }
        // The gateway is one itself.
        guard receivers[gateway, default: []].count < Self.mostReceivers - 1 else { return false }
        receivers[gateway, default: []].insert(receiver)
        return true
    }

    /// What was taken is stored.
    mutating func commit() {
        if used.count >= Self.mostDays || counted.count >= Self.mostDays { (used, counted) = ([:], []) }
        used.merge(pending, uniquingKeysWith: +)
        pending = [:]
        if companies.count >= Self.mostDays { companies = [:] }
        companies.merge(pendingCompanies, uniquingKeysWith: +)
        pendingCompanies = [:]
    }

    /// What was taken comes again.
    mutating func rollBack() { (pending, pendingCompanies) = ([:], [:]) }

    /// Forgets days before one.
    mutating func forget(before day: Int64) {
        if used.contains(where: { $0.key.day < day }) { used = used.filter { $0.key.day >= day } }
        counted = counted.filter { $0 >= day }
        let first = day * ReadingBlock.perDay
        if companies.contains(where: { $0.key.block < first }) {
            companies = companies.filter { $0.key.block >= first }
        }
    }

    private func sum(_ key: Key) -> Int64 { used[key, default: 0] + pending[key, default: 0] }

    private static func told(_ gateway: String, _ days: Days) -> Key {
        Key(gateway: gateway, day: days.told, isOfReceipt: false)
    }

    private static func received(_ gateway: String, _ days: Days) -> Key {
        Key(gateway: gateway, day: days.received, isOfReceipt: true)
    }
}
