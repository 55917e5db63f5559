/// A count of events that is logged at most once per interval, so that a flood of events does not flood the log. Pure.
struct NoticeCounter: Sendable {
    /// Minimum time between two log messages.
    static let interval: Duration = .seconds(30)

    private var count: UInt64 = 0
    private var saidAt: ContinuousClock.Instant?

    /// Counts events.
    ///
    /// - Returns: the number of events since the last log message; `nil` if nothing is to be logged now.
    mutating func add(_ events: UInt64, at now: ContinuousClock.Instant) -> UInt64? {
        count += events
        guard count > 0, saidAt.map({ now - $0 > Self.interval }) ?? true else { return nil }
        defer { (count, saidAt) = (0, now) }
        return count
    }
}
