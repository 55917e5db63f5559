/// How far a receiver's clock is from that of the matcher.
struct ReceiverClock: Equatable, Sendable {
    /// Smoothed time from the end of the claimed second to its arrival, in seconds.
    private(set) var delay: Double?
    /// Number of seconds by which claimed seconds are moved.
    private(set) var shift: Int64 = 0

    /// Difference from which a clock is wrong, in seconds.
    static let mostOff = 3.0
    /// Usual time from the end of a second to its arrival, in seconds.
    private static let usualDelay = 0.35
    private static let smoothing = 0.1
    /// A sample counts as at most this, so that a clock that was repaired is believed again within half a minute.
    private static let mostCounted = 30.0

    /// Whether the clock is so wrong that the time of arrival counts.
    var isOff: Bool { abs(delay ?? 0) > Self.mostOff }

    /// Returns the second in which a message counts.
    ///
    /// - Parameters:
    ///   - claimed: start of the second by the receiver's clock, in seconds since 1970.
    ///   - arrivedAt: time of arrival in seconds since 1970.
    mutating func second(claimed: Int64, arrivedAt: Double) -> Int64 {
        let limit = Self.mostCounted
        let sample = min(limit, max(-limit, arrivedAt - Double(claimed) - 1))
        let delay = self.delay.map { $0 + (sample - $0) * Self.smoothing } ?? sample
        self.delay = delay
        if isOff { return Int64((arrivedAt - Self.usualDelay).rounded(.down)) - 1 }
        // With some slack, so that the shift does not change from one second to the next.
        if abs(delay - Self.usualDelay - Double(shift)) > 0.9 { shift = Int64((delay - Self.usualDelay).rounded()) }
        return claimed + shift
    }
}
