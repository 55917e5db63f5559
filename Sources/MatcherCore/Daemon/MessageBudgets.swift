import BeaconModel

/// Message budgets by gateway, so that a stolen gateway does not take the processing time of others. Pure. Times since
/// some start.
///
/// No honest gateway can have a backlog beyond its budget. Messages over the budget are not stored and do not count as
/// received.
package struct MessageBudgets: Sendable {
    /// One message per interval in the long run, and up to `burst` at once.
    package struct Limit: Sendable {
        package var interval: Duration
        package var burst: Int
    }

    package enum Finding: Equatable, Sendable {
        case within
        /// Over the budget. If it is time to report this, with the number of messages dropped since the last report.
        case over(UInt64?)
    }

    /// Records: 100 a second. The burst is what waits after 72 hours, the default of `outbox.max-age`, at a gateway
    /// with 17 records a second, the most of a busy floor in the benchmarks; 256 MB, the default of `outbox.max-size`,
    /// hold fewer.
    package static let standardRecords = Limit(interval: .milliseconds(10), burst: 72 * 3600 * 17)
    /// Health messages, which arrive every 30 s; after an outage the latest are enough.
    static let standardHealth = Limit(interval: .seconds(1), burst: 2000)
    /// Interval at which a gateway over its budget is reported.
    package static let patience: Duration = .seconds(3600)
    /// Maximum number of gateways that are remembered for each kind. Further ones share one budget; no access list has
    /// that many.
    package static let most = 10_000

    private struct Budget {
        var bucket: TokenBucket
        /// Messages dropped since the last report.
        var left: UInt64 = 0
        var saidAt: Duration?

        func isIdle(at now: Duration) -> Bool {
            bucket.isFull(at: now) && saidAt.map { now - $0 >= MessageBudgets.patience } ?? true
        }
    }

    private struct Budgets {
        var limit: Limit
        var byGateway: [String: Budget] = [:]
        /// Time of the last search for idle budgets, which does not happen with each message.
        var sweptAt: Duration?

        mutating func take(_ count: Int, of gateway: String, at now: Duration) -> Finding {
            var name = gateway
            if byGateway[name] == nil, !hasRoom(at: now) { name = "" }
            var budget =
                byGateway[name] ?? Budget(bucket: TokenBucket(interval: limit.interval, burst: limit.burst))
            defer { byGateway[name] = budget }
            guard budget.bucket.take(count, at: now) != nil else { return .within }
            budget.left += 1
            if let saidAt = budget.saidAt, now - saidAt < MessageBudgets.patience { return .over(nil) }
            let left = budget.left
            (budget.left, budget.saidAt) = (0, now)
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

    private var records: Budgets
    private var health: Budgets

    package init(records: Limit = MessageBudgets.standardRecords, health: Limit = MessageBudgets.standardHealth) {
        self.records = Budgets(limit: records)
        self.health = Budgets(limit: health)
    }

    /// Number of gateways that are remembered.
    package var count: Int { records.byGateway.count + health.byGateway.count }

    /// Payload bytes that count as one message. A message of readings can have 65,536, and takes as much longer.
    private static let bytes = 2048

    /// Takes one message of a gateway from its budget, before the message is read.
    ///
    /// - Parameter bytes: size of its payload.
    package mutating func take(_ kind: RecordTopic.Kind, bytes: Int = 0, of gateway: String, at now: Duration)
        -> Finding
    {
        let count = max(1, (bytes + Self.bytes - 1) / Self.bytes)
        return switch kind {
        case .record: records.take(count, of: gateway, at: now)
        case .health: health.take(count, of: gateway, at: now)
        // `LiveFloors` has its own limits for them.
        case .signals: .within
        }
    }
}
