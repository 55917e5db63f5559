/// How long to wait before the next attempt: doubling from 1 s to 60 s, the second half of each wait at random, so
/// that a building's gateways don't come back all at once.
package struct Backoff: Sendable {
    private let longest: Int
    private var attempts = 0

    /// - Parameter longest: no wait is longer; one of less than a second is the first already.
    package init(longest: Duration = .seconds(60)) {
        self.longest = max(
            2, Int(clamping: longest.components.seconds * 1000 + longest.components.attoseconds / 1_000_000_000_000_000)
        )
    }

    package mutating func next(using generator: inout some RandomNumberGenerator) -> Duration {
        let ceiling = min(longest, 1000 << min(attempts, 6))
        attempts += 1
        return .milliseconds(Int.random(in: ceiling / 2...ceiling, using: &generator))
    }

    /// After a success.
    package mutating func reset() { attempts = 0 }

    /// After something that works again and again for a moment: the next wait is at most 2 s.
    package mutating func ease() { attempts = min(attempts, 1) }
}
