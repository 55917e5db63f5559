/// Seconds of a monotonic clock.
enum MonotonicSeconds {
    private static let start = ContinuousClock.now

    static var now: Double {
        let (seconds, attoseconds) = elapsed.components
        return Double(seconds) + Double(attoseconds) / 1e18
    }

    /// The same time, exactly.
    static var elapsed: Duration { ContinuousClock.now - start }
}
