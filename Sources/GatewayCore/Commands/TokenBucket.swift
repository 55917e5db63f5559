/// Lets so many through in the long run, and some more at once. Pure: time arrives by a clock that nobody sets.
package struct TokenBucket: Equatable, Sendable {
    /// Between two in the long run.
    package let interval: Duration
    /// At once, when none came for a while; at least 1.
    package let burst: Int
    /// When the bucket will be full.
    private var fullAt: Duration = .zero

    /// - Parameter interval: between two in the long run, more than zero.
    package init(interval: Duration, burst: Int) {
        self.interval = max(interval, .microseconds(1))
        self.burst = max(1, burst)
    }

    /// Takes a token.
    ///
    /// - Returns: `nil` when there was one, else how long it takes until there is.
    package mutating func take(at now: Duration) -> Duration? {
        let next = max(fullAt, now) + interval
        let wait = next - now - interval * burst
        guard wait <= .zero else { return wait }
        fullAt = next
        return nil
    }
}
