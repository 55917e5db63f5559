import BeaconModel

/// The pace at which historical records are offered: a token bucket that holds at most the tokens of one second.
package struct OutboxPace: Sendable {
    private var bucket: TokenBucket
    /// First and latest times that were given.
    private var times: (first: ContinuousClock.Instant, latest: ContinuousClock.Instant)?

    /// Creates a full bucket.
    ///
    /// - Parameter rate: tokens per second; at least one in a thousand seconds.
    init(rate: Double) {
        let rate = rate.isFinite ? min(max(rate, 0.001), 1e9) : 1e9
        // Rounded down, so that one second holds all tokens of a second.
        let interval = Duration.nanoseconds(Int64(1e9 / rate))
        bucket = TokenBucket(interval: interval, depth: max(.seconds(1), interval))
    }

    package mutating func fill(_ now: ContinuousClock.Instant) {
        times = times.map { ($0.first, max($0.latest, now)) } ?? (now, now)
    }

    package mutating func take() -> Bool { bucket.take(at: now) == nil }

    /// The time until there is a token, or the tokens of a twentieth of a second, which avoids one wake-up per token.
    package var wait: Duration { bucket.wait(forWhatComesIn: max(bucket.interval, .milliseconds(50)), at: now) }

    /// Latest time, since the first.
    private var now: Duration { times.map { $0.first.duration(to: $0.latest) } ?? .zero }
}
