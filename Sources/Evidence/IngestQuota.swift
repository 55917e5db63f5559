import Matching

/// The amount of data that each gateway can have stored for one day, so that a stolen gateway cannot fill the disk.
/// Pure.
///
/// The quota is checked before anything is written. Everything counts for the day of its record, and for the day on
/// which it arrives. Records that waited out an outage have the room of all their days, and inventions spread over many
/// days have the room of a week. A process that starts counts the interactions of a day that are already stored; it
/// does not know on which day they arrived, nor what other room was taken.
package struct IngestQuota: Sendable {
    /// The days of a record, in days since 1970.
    package struct Days: Equatable, Sendable {
        /// The day on which the recorded event began.
        package var told: Int64
        /// The day on which the record arrived.
        package var received: Int64

        package init(told: Int64, received: Int64) {
            self.told = told
            self.received = received
        }
    }

    /// Maximum number of bytes per gateway and day.
    package var limit: Int64
    private var used: [Key: Int64] = [:]
    /// Bytes taken by the transaction in progress.
    private var pending: [Key: Int64] = [:]
    /// Days whose earlier data has been counted.
    private var counted: Set<Int64> = []
    /// Receivers by gateway that were heard of on the latest day.
    private var receivers: [String: Set<String>] = [:]
    private var receiversDay: Int64 = .min

    /// Bytes taken for company, followed by the bytes that the transaction in progress takes for it.
    private var companies: [CompanyKey: Int64] = [:]
    private var pendingCompanies: [CompanyKey: Int64] = [:]

    private struct CompanyKey: Hashable {
        var gateway: String
        /// Quarters of an hour since 1970.
        var block: Int64
    }

    private struct Key: Hashable {
        package var gateway: String
        /// Days since 1970.
        package var day: Int64
        /// Whether the day is the one on which records arrived.
        var isOfReceipt: Bool
    }

    /// Bytes that an interaction takes on disk with its indexes and names: 537 were measured for an interaction of a
    /// previously unknown subject.
    package static let interaction: Int64 = 537
    /// Bytes of a subject in a record of readings, with its vectors.
    package static let reading: Int64 = 100
    /// Maximum number of bytes of a subject's row of company in a block: 200 others on a floor (`BlockComparison`),
    /// each with 3 bytes for a number, 2 for minutes and 8 for levels, are 2,600 bytes, and 100 are for the row.
    static let companyRow: Int64 = 2700
    /// Maximum number of bytes for the company of a block's subjects that only one gateway heard: 100 of them are
    /// compared. Each subject of a record therefore counts as a row until a gateway has taken this amount in a block,
    /// 26 MB a day. With it, a gateway that has 500 badges in reach all day, 1,440 minutes of 50,100 bytes, takes 98 MB
    /// of its 256. Subjects that several gateways heard are in at most 2,000 rows of a floor, and all of these gateways
    /// have that room.
    package static let company: Int64 = 100 * companyRow
    /// Bytes of a subject's name that only readings have.
    package static let name: Int64 = 200
    /// Bytes of a block of `PositionMemory`.
    package static let block: Int64 = 256
    package static let standardLimit: Int64 = 256_000_000
    /// Number of days' quotas available for data that arrives on one day: by default, a gateway keeps records for three
    /// days.
    static let receivedDays: Int64 = 8
    /// Maximum number of receivers of one gateway and day, including the gateway itself: each is a place. A gateway
    /// manages 64 remote receivers, and modules that listen.
    package static let mostReceivers = 256
    /// Maximum number of days, and of blocks, that are remembered.
    private static let mostDays = 1_000_000

    package init(limit: Int64 = IngestQuota.standardLimit) { self.limit = limit }

    /// Whether the data stored for a day before this process took anything has been counted.
    package func hasCounted(_ day: Int64) -> Bool { counted.contains(day) }

    /// Initializes a day with the data that is already stored: most of it arrived on the day itself.
    ///
    /// - Parameter interactions: number of interactions by gateway.
    package mutating func count(_ interactions: [String: Int64], storedOf day: Int64) {
        guard counted.insert(day).inserted else { return }
        let days = Days(told: day, received: day)
        for (gateway, count) in interactions {
            used[Self.told(gateway, days), default: 0] += Self.interaction * count
            used[Self.received(gateway, days), default: 0] += Self.interaction * count
        }
    }

    /// Whether a gateway has used up its quota for a record's days.
    package func isExhausted(_ gateway: String, _ days: Days) -> Bool {
        sum(Self.told(gateway, days)) >= limit || sum(Self.received(gateway, days)) / Self.receivedDays >= limit
    }

    /// Takes room for new data. The room is kept by `commit`, and given back by `rollBack`.
    ///
    /// - Returns: whether there was room.
    package mutating func take(_ bytes: Int64, of gateway: String, _ days: Days) -> Bool {
        if isExhausted(gateway, days) { return false }
        add(bytes, of: gateway, days)
        return true
    }

    /// Takes room for a record of readings, and for the rows that settling derives from it.
    ///
    /// - Parameters:
    ///   - blocks: the record's blocks, in quarters of an hour since 1970.
    ///   - more: additional bytes that the record takes.
    /// - Returns: whether there was room.
    package mutating func takeReadings(
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

    /// Takes room for data of a record that is already stored, even if none is left.
    package mutating func add(_ bytes: Int64, of gateway: String, _ days: Days) {
        pending[Self.told(gateway, days), default: 0] += bytes
        pending[Self.received(gateway, days), default: 0] += bytes
    }

    /// Whether a gateway can have one more receiver on the day on which that is heard of; if so, registers it.
    package mutating func admits(receiver: String, of gateway: String, on day: Int64) -> Bool {
        if receiver == gateway { return true }
        if day != receiversDay { (receivers, receiversDay) = ([:], day) }
        if receivers[gateway]?.contains(receiver) == true { return true }
        // The gateway itself is one of the receivers.
        guard receivers[gateway, default: []].count < Self.mostReceivers - 1 else { return false }
        receivers[gateway, default: []].insert(receiver)
        return true
    }

    /// Keeps the room that was taken: its data is stored.
    package mutating func commit() {
        if used.count >= Self.mostDays || counted.count >= Self.mostDays { (used, counted) = ([:], []) }
        used.merge(pending, uniquingKeysWith: +)
        pending = [:]
        if companies.count >= Self.mostDays { companies = [:] }
        companies.merge(pendingCompanies, uniquingKeysWith: +)
        pendingCompanies = [:]
    }

    /// Gives back the room that was taken: its data will be sent again.
    package mutating func rollBack() { (pending, pendingCompanies) = ([:], [:]) }

    /// Forgets all days before the given one.
    package mutating func forget(before day: Int64) {
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
