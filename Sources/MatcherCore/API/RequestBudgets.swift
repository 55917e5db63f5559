import BeaconModel

/// Remaining requests, or other units, by client. A budget refills at a rate per minute and holds at most one minute's
/// worth.
package struct RequestBudgets: Sendable {
    private var buckets: KeyedTokenBuckets<String>

    /// Creates full budgets.
    ///
    /// - Parameter capacity: minimum number of clients that are remembered.
    package init(perMinute: Int, capacity: Int = 10_000) {
        let perMinute = max(1, perMinute)
        buckets = KeyedTokenBuckets(
            TokenBucket(interval: .seconds(60) / perMinute, burst: perMinute), capacity: capacity)
    }

    /// Number of clients that are remembered.
    package var count: Int { buckets.count }

    /// Takes one request, or as many units as it costs.
    ///
    /// - Parameters:
    ///   - cost: units to take. At most half a minute's budget must be available; the rest is taken from later refills.
    ///   - now: monotonic time.
    /// - Returns: `nil`, or the number of seconds until enough units are available.
    package mutating func take(_ client: String, cost: Int = 1, now: Duration) -> Int64? {
        buckets.take(cost, of: client, at: now, allowsDebt: true).map {
            let (seconds, attoseconds) = $0.components
            return seconds + (attoseconds > 0 ? 1 : 0)
        }
    }

    /// Gives back one request that turned out not to count.
    package mutating func giveBack(_ client: String) { buckets.giveBack(client) }
}
