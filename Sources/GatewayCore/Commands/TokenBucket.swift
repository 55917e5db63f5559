/// A rate limit with bursts. Pure; times come from a monotonic clock.
package struct TokenBucket: Equatable, Sendable {
    /// Interval between two tokens in the long run.
    package let interval: Duration
    /// Maximum number of tokens at once after an idle time; at least 1.
    package let burst: Int
    /// Time at which the bucket will be full.
    private var fullAt: Duration = .zero

    /// - Parameter interval: the interval between two tokens in the long run; more than zero.
    package init(interval: Duration, burst: Int) {
        self.interval = max(interval, .microseconds(1))
        self.burst = max(1, burst)
    }

    /// Takes a token.
    ///
    /// - Returns: `nil` if a token was taken, otherwise the time until one is available.
    package mutating func take(at now: Duration) -> Duration? {
        let next = max(fullAt, now) + interval
        let wait = next - now - interval * burst
        guard wait <= .zero else { return wait }
        fullAt = next
        return nil
    }
}
