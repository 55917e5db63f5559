/// How many messages of each gateway are looked at, so that a stolen one doesn't take the time that others' need. Pure. Times
/// since some start.
///
/// What is over a budget is no backlog that an honest gateway can have. It isn't stored, and not counted as come.
struct MessageBudgets: Sendable {
    /// One in each interval in the long run, and so many at once.
    struct Limit: Sendable {
        var interval: Duration
        var burst: Int
    }

    enum Finding: Equatable, Sendable {
        case within
        /// With how many were left since that was last said, when it is to be said now.
        case over(UInt64?)
    }

    /// Records: 100 a second. At once what waits after 72 hours, the default of `outbox.max-age`, of a gateway with 17 records
    /// a second, the most of a busy floor in the benchmarks; 256 MB, the default of `outbox.max-size`, are fewer.
    static let standardRecords = Limit(interval: .milliseconds(10), burst: 72 * 3600 * 17)
    /// Health messages, which come every 30 s; after an outage the latest are enough.
    static let standardHealth = Limit(interval: .seconds(1), burst: 2000)
    /// Of one gateway it is said so often that it is over its budget.
    static let patience: Duration = .seconds(3600)
    /// Gateways that are remembered of each kind. Those beyond, which nobody's access list has, share one budget.
    static let most = 10_000

    private struct Bucket {
        /// When the budget will be whole again.
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
        /// It isn't looked for idle ones with each message.
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

    /// Gateways that are remembered.
    var count: Int { records.byGateway.count + health.byGateway.count }

    /// A message counts once for so many bytes or fewer: one of readings may have 65,536, and takes as much longer.
    private static let bytes = 2048

    /// Takes one message of a gateway, before anything of it is read.
    ///
    /// - Parameter bytes: of its payload.
    mutating func take(_ kind: RecordTopic.Kind, bytes: Int = 0, of gateway: String, at now: Duration) -> Finding {
        let count = max(1, (bytes + Self.bytes - 1) / Self.bytes)
        return switch kind {
        case .record: records.take(count, of: gateway, at: now)
        case .health: health.take(count, of: gateway, at: now)
        }
    }
}
