/// Message budgets by gateway, so that a stolen gateway does not take the processing time of others. Pure. Times since
/// some start.
///
/// No honest gateway can have a backlog beyond its budget. Messages over the budget are not stored and do not count as
/// received.
struct MessageBudgets: Sendable {
    /// One message per interval in the long run, and up to `burst` at once.
    struct Limit: Sendable {
        var interval: Duration
        var burst: Int
    }

    enum Finding: Equatable, Sendable {
        case within
        /// Over the budget. If it is time to report this, with the number of messages dropped since the last report.
        case over(UInt64?)
    }

    /// Records: 100 a second. The burst is what waits after 72 hours, the default of `outbox.max-age`, at a gateway
    /// with 17 records a second, the most of a busy floor in the benchmarks; 256 MB, the default of `outbox.max-size`,
    /// hold fewer.
    static let standardRecords = Limit(interval: .milliseconds(10), burst: 72 * 3600 * 17)
    /// Health messages, which arrive every 30 s; after an outage the latest are enough.
    static let standardHealth = Limit(interval: .seconds(1), burst: 2000)
    /// Interval at which a gateway over its budget is reported.
    static let patience: Duration = .seconds(3600)
    /// Maximum number of gateways that are remembered for each kind. Further ones share one budget; no access list has
    /// that many.
    static let most = 10_000

    private struct Bucket {
        /// Time at which the budget will be full again.
        var fullAt: Duration = .zero
        var left: UInt64 = 0
        var saidAt: Duration?

        func isIdle(at now: Duration) -> Bool {
            fullAt <= now && saidAt.map { now - $0 >= MessageBudgets.patience } ?? true
        }
    }

    private struct Buckets {
        var limit: Limit
        var byGateway: [String: Bucket] = [:]
        /// Time of the last search for idle buckets, which does not happen with each message.
        var sweptAt: Duration?

        mutating func take(_ count: Int, of gateway: String, at now: Duration) -> Finding {
            var name = gateway
            if byGateway[name] == nil, !hasRoom(at: now) { name = "" }
            var bucket = byGateway[name] ?? Bucket()
            defer { byGateway[name] = bucket }
            let next = max(bucket.fullAt, now) + limit.interval * count
            if next - now <= limit.interval * max(1, limit.burst) {
                bucket.fullAt = next
                return .within
            }
            bucket.left += 1
            if let saidAt = bucket.saidAt, now - saidAt < MessageBudgets.patience { return .over(nil) }
            let left = bucket.left
            (bucket.left, bucket.saidAt) = (0, now)
            return .over(left)
        }

        private mutating func hasRoom(at now: Duration) -> Bool {
            if byGateway.count < MessageBudgets.most { return true }
            if let sweptAt, now - sweptAt < .seconds(60) { return false }
            sweptAt = now
            byGateway = byGateway.filter { !$0.value.isIdle(at: now) }
            return byGateway.count < MessageBudgets.most
        }
    }

    private var records: Buckets
    private var health: Buckets

    init(records: Limit = MessageBudgets.standardRecords, health: Limit = MessageBudgets.standardHealth) {
        self.records = Buckets(limit: records)
        self.health = Buckets(limit: health)
    }

    /// Number of gateways that are remembered.
    var count: Int { records.byGateway.count + health.byGateway.count }

    /// Payload bytes that count as one message. A message of readings can have 65,536, and takes as much longer.
    private static let bytes = 2048

    /// Takes one message of a gateway from its budget, before the message is read.
    ///
    /// - Parameter bytes: size of its payload.
    mutating func take(_ kind: RecordTopic.Kind, bytes: Int = 0, of gateway: String, at now: Duration) -> Finding {
        let count = max(1, (bytes + Self.bytes - 1) / Self.bytes)
        return switch kind {
        case .record: records.take(count, of: gateway, at: now)
        case .health: health.take(count, of: gateway, at: now)
        }
    }
}
