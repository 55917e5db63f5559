import BeaconModel

/// Limit on pictures of test results by client address: each is kept for an hour, and read by slow programs.
///
/// Many people can share an address, such as those of a campus. Memory is bounded.
package struct PictureBudgets: Sendable {
    /// Number of pictures that an address can send at once.
    package static let burst = 20
    /// Number of seconds after which an address that has sent so many can send another.
    package static let interval: Int64 = 180

    private var buckets: KeyedTokenBuckets<String>

    /// - Parameter capacity: minimum number of addresses that are remembered; at most twice as many are.
    package init(capacity: Int = 10_000) {
        buckets = KeyedTokenBuckets(
            TokenBucket(interval: .seconds(Self.interval), burst: Self.burst), capacity: capacity)
    }

    /// Takes a picture.
    ///
    /// - Parameter now: monotonic time.
    /// - Returns: `nil`, or the number of seconds until the address can send another picture.
    package mutating func take(_ address: String, now: Duration) -> Int64? {
        buckets.take(of: address, at: now).map {
            let (seconds, attoseconds) = $0.components
            return seconds + (attoseconds > 0 ? 1 : 0)
        }
    }
}
