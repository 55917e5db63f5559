import BeaconModel

/// The pace at which historical records are offered: a token bucket that holds at most the tokens of one second.
package struct OutboxPace: Sendable {
    private let rate: Double
    private var tokens: Double
    private var filledAt: ContinuousClock.Instant?

    /// Creates a full bucket.
    ///
    /// - Parameter rate: tokens per second; at least one in a thousand seconds.
    init(rate: Double) {
        self.rate = rate.isFinite ? max(rate, 0.001) : 1e9
        tokens = max(1, self.rate)
    }

    package mutating func fill(_ now: ContinuousClock.Instant) {
        if let filledAt, now > filledAt {
            tokens = min(max(1, rate), tokens + rate * filledAt.duration(to: now).inSeconds)
        }
        filledAt = max(filledAt ?? now, now)
    }

    package mutating func take() -> Bool {
        guard tokens >= 1 else { return false }
        tokens -= 1
        return true
    }

    /// The time until there is a token, or the tokens of a twentieth of a second, which avoids one wake-up per token.
    package var wait: Duration { .seconds((max(1, rate / 20) - tokens) / rate) }
}
