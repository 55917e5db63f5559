/// The time until the next attempt. It doubles from 1 s to 60 s; the second half of each wait is random, so that a
/// building's gateways do not all reconnect at once.
package struct Backoff: Sendable {
    private let longest: Int
    private var attempts = 0

    /// Creates a back-off that starts with its shortest wait.
    ///
    /// - Parameter longest: the maximum wait. If it is less than 1 s, it also limits the first wait.
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

    /// Starts again with the shortest wait, after a success.
    package mutating func reset() { attempts = 0 }

    /// Limits the next wait to 2 s, after a connection that repeatedly works for a short time.
    package mutating func ease() { attempts = min(attempts, 1) }
}
