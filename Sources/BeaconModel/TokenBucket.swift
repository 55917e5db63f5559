/// Rate limit with bursts: a token bucket as a virtual schedule (the generic cell rate algorithm, ITU-T I.371, Annex
/// A).
///
/// The bucket fills by one token per `interval` and holds at most what comes in `depth`. The state is one time,
/// `fullAt`. At time `now` the bucket holds `(depth - max(0, fullAt - now)) / interval` tokens, and taking `n` of them
/// sets `fullAt = max(fullAt, now) + n * interval`. With debt that can be fewer than none.
///
/// Arithmetic is exact, in attoseconds. Intervals, counts and times beyond the stated ranges are clamped to them, so
/// that no value overflows. A clock that goes back adds no tokens, unless the bucket is drained at the earlier time.
package struct TokenBucket: Equatable, Sendable {
    /// Time in which one token comes, from 1 ns to 10^9 s.
    package let interval: Duration
    /// Time in which an empty bucket fills, from `interval` to 10^18 s.
    package let depth: Duration
    /// Time at which the bucket will be full, on the clock of `now`; a bucket is created full.
    package var fullAt: Duration = .zero

    private static let shortestInterval: Duration = .nanoseconds(1)
    private static let longestInterval: Duration = .seconds(1_000_000_000)
    private static let mostTokens = 1_000_000_000
    private static let longestTime: Duration = .seconds(1_000_000_000_000_000_000)
    private static let earliestTime: Duration = .zero - longestTime

    /// Creates a full bucket.
    ///
    /// - Parameters:
    ///   - interval: time in which one token comes.
    ///   - depth: time in which an empty bucket fills. Not necessarily a multiple of the interval; at least one
    ///     interval.
    package init(interval: Duration, depth: Duration) {
        self.interval = min(max(interval, Self.shortestInterval), Self.longestInterval)
        self.depth = min(max(depth, self.interval), Self.longestTime)
    }

    /// Creates a full bucket.
    ///
    /// - Parameters:
    ///   - interval: time in which one token comes.
    ///   - burst: maximum number of tokens, from 1 to 10^9.
    package init(interval: Duration, burst: Int) {
        let interval = min(max(interval, Self.shortestInterval), Self.longestInterval)
        self.init(interval: interval, depth: interval * min(max(burst, 1), Self.mostTokens))
    }

    /// Creates a full bucket.
    ///
    /// - Parameters:
    ///   - perSecond: tokens that come in a second; at least 1. The interval is rounded down to whole microseconds.
    ///   - burst: maximum number of tokens, from 1 to 10^9.
    package init(perSecond: Int, burst: Int) {
        self.init(interval: .microseconds(1_000_000 / max(1, perSecond)), burst: burst)
    }

    /// Takes tokens.
    ///
    /// - Parameters:
    ///   - count: number of tokens, from 0 to 10^9.
    ///   - now: time on a clock that does not go back, within 10^18 s of its start.
    ///   - allowsDebt: requires at most half of a full bucket, and at least one token; the rest is taken from what
    ///     comes later. A large request does not have to wait for all its tokens while small ones keep the bucket low.
    /// - Returns: `nil` if the tokens were taken, otherwise the time until they can be.
    package mutating func take(_ count: Int = 1, at now: Duration, allowsDebt: Bool = false) -> Duration? {
        let now = Self.clamped(now)
        let cost = cost(of: count)
        let required = allowsDebt ? min(cost, max(interval, depth / 2)) : cost
        let missing = required - credit(at: now)
        guard missing <= .zero else { return missing }
        fullAt = max(fullAt, now) + cost
        return nil
    }

    /// Takes a token; takes what there is if that is less.
    package mutating func drain(at now: Duration) {
        let now = Self.clamped(now)
        fullAt = min(max(fullAt, now) + interval, now + depth)
    }

    /// Gives back one token that was taken for nothing.
    package mutating func giveBack() { fullAt = max(fullAt - interval, Self.earliestTime) }

    /// Returns whether the bucket holds at least this number of tokens.
    package func holds(_ count: Int, at now: Duration) -> Bool { credit(at: Self.clamped(now)) >= cost(of: count) }

    /// Returns whether nothing was taken that has not come again.
    package func isFull(at now: Duration) -> Bool { fullAt <= now }

    /// Returns the time until the bucket holds what comes in a time, which is at most `depth`.
    package func wait(forWhatComesIn time: Duration, at now: Duration) -> Duration {
        max(.zero, min(time, depth) - credit(at: Self.clamped(now)))
    }

    /// Tokens in the bucket, as the time in which they come; negative in debt.
    private func credit(at now: Duration) -> Duration { depth - max(.zero, fullAt - now) }

    private func cost(of count: Int) -> Duration { interval * min(max(count, 0), Self.mostTokens) }

    private static func clamped(_ time: Duration) -> Duration { min(max(time, earliestTime), longestTime) }
}
