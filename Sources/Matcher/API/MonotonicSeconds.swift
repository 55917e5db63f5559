/// Seconds of a monotonic clock.
enum MonotonicSeconds {
    private static let start = ContinuousClock.now

    static var now: Double {
        let (seconds, attoseconds) = (ContinuousClock.now - start).components
        return Double(seconds) + Double(attoseconds) / 1e18
    }
}
