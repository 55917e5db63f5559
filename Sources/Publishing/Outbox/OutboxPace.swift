import BeaconModel

/// At which pace history is offered: a token bucket that holds at most what a second brings.
package struct OutboxPace: Sendable {
    private let rate: Double
    private var tokens: Double
    private var filledAt: ContinuousClock.Instant?

    /// - Parameter rate: in a second; at least one in a thousand seconds.
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

    /// How long until there is one, or, so that nobody is woken for each one, until there is what a twentieth of a
    /// second brings.
    package var wait: Duration { .seconds((max(1, rate / 20) - tokens) / rate) }
}
