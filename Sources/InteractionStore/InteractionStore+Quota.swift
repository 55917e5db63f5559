import Evidence
import RecordContract

extension InteractionStore {
    /// Maximum number of days of one batch whose stored data is counted.
    private static let mostCountedDays = 64

    /// Returns `.overQuota` if the gateway's quota is used up. Called before anything is written.
    ///
    /// - Parameters:
    ///   - receiver: the gateway, or one of its remote receivers.
    ///   - start: start of the record.
    func exhausted(_ gateway: String, receiver: String, start: Int64, now: Int64) -> Refusal? {
        let days = Self.days(start, now)
        if quota.isExhausted(gateway, days) { return .overQuota }
        return quota.admits(receiver: receiver, of: gateway, on: days.received) ? nil : .overQuota
    }

    /// Whether the quota has room for something new; if so, takes it.
    func takeRoom(_ bytes: Int64, of gateway: String, start: Int64, now: Int64) -> Bool {
        quota.take(bytes, of: gateway, Self.days(start, now))
    }

    /// Whether the quota has room for a record of readings that is not stored yet; if so, takes it.
    ///
    /// - Parameter more: additional bytes that the record takes.
    func takeRoom(readings record: ReadingsRecord, inBlocks blocks: Set<Int64>, and more: Int64, now: Int64) -> Bool {
        quota.takeReadings(
            of: record.subjects.count, inBlocks: blocks, and: more, of: record.gateway,
            Self.days(record.start, now))
    }

    /// Charges data that is already written to the quota.
    func addRoom(_ bytes: Int64, of gateway: String, start: Int64, now: Int64) {
        quota.add(bytes, of: gateway, Self.days(start, now))
    }

    private static func days(_ start: Int64, _ now: Int64) -> IngestQuota.Days {
        IngestQuota.Days(told: start / day, received: now / day)
    }

    /// Reads how much is stored for the days of the records, each day once, so that a restarted process does not grant
    /// every gateway its full quota again. Uses a transaction of its own: a transaction that has read the table cannot
    /// create a partition of it.
    func countDays(of records: [ReceivedRecord], now: Int64, _ clockIsSynchronized: Bool) throws {
        var days: Set<Int64> = [now / Self.day]
        for record in records {
            let span: (start: Int64, end: Int64)
            switch record {
            case .interaction(let record): span = (record.start, record.end)
            case .readings(let record): span = (record.start, record.end)
            case .other: continue
            }
            let kept = max(retention, readingRetention)
            if clockIsSynchronized, refusal(from: span.start, to: span.end, keptFor: kept, now: now) != nil { continue }
            days.insert(span.start / Self.day)
        }
        days = days.filter { !quota.hasCounted($0) }
        if days.isEmpty { return }
        // The latest days. More occur in one batch only while the time is unknown, and in files.
        let latest = Set(days.sorted().suffix(Self.mostCountedDays))
        let counts = try database.read { session in
            var counts: [Int64: [String: Int64]] = [:]
            for day in latest.sorted() { counts[day] = try interactions(of: day, session) }
            return counts
        }
        for day in days { quota.count(counts[day] ?? [:], storedOf: day) }
    }

    /// Returns the number of interactions that began on a day, by gateway.
    private func interactions(of day: Int64, _ session: any SQLSession) throws -> [String: Int64] {
        var counts: [String: Int64] = [:]
        // The first condition matches SQLite's index, the others match PostgreSQL's partitions.
        try session.query(
            "SELECT o.path, c.number FROM (SELECT i.origin AS origin, count(*) AS number FROM interaction i "
                + "WHERE i.started / \(Self.day) = \(day) AND i.started >= \(day * Self.day) "
                + "AND i.started < \((day + 1) * Self.day) GROUP BY i.origin) AS c JOIN origin o ON o.id = c.origin",
            [], keepsStatement: false
        ) { row in
            counts[PlaceClaimRule.gateway(row.text(0) ?? ""), default: 0] += row.integer(1)
        }
        return counts
    }

    /// Forgets the quotas of days whose data has expired.
    func forgetQuotas(before time: Int64) { quota.forget(before: time / Self.day) }
}
