/// How long to wait before the next attempt: doubling from 1 s to 60 s, the second half of each wait at random, so
/// that a building's gateways don't come back all at once.
public struct Backoff: Sendable {
    private var attempts = 0

    public init() {}

    public mutating func next(using generator: inout some RandomNumberGenerator) -> Duration {
        let ceiling = min(60_000, 1000 << min(attempts, 6))
        attempts += 1
        return .milliseconds(Int.random(in: ceiling / 2...ceiling, using: &generator))
    }

    /// After a success.
    public mutating func reset() { attempts = 0 }
}
