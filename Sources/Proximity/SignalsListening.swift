import BeaconModel

/// Listening time of the adapters in the current second, by their state.
///
/// Evidence of reception can be seconds apart in a quiet place, so it cannot be summed within a second as
/// `ListeningClock` does within a minute. An adapter is taken to listen from its first evidence until it becomes deaf,
/// or until its latest evidence is older than `InteractionRules.longestListeningGap`.
struct SignalsListening: Sendable {
    /// Maximum age of evidence in microseconds.
    private let longestGap: Int64
    /// Listening of each of `TrackTable.orders`.
    private var adapters: [AdapterListening] = Array(repeating: AdapterListening(), count: TrackTable.orders.count)

    /// Times are in microseconds since 1970.
    private struct AdapterListening: Sendable {
        /// Time since which the adapter listens; `nil` while it does not.
        var since: Int64?
        /// Latest evidence.
        var until: Int64 = 0
        /// Listening time in the current second that ended in it, in microseconds.
        var ended: Int64 = 0
    }

    init(longestGap: Duration) { self.longestGap = longestGap.clampedMicroseconds }

    /// Records that an adapter was receiving at the given time.
    ///
    /// - Parameter start: start of the current second.
    mutating func listened(_ order: Int, until time: Timestamp, second start: Timestamp) {
        let time = time.microseconds
        if adapters[order].since == nil {
            adapters[order].since = time
        } else if time - adapters[order].until > longestGap {
            stop(order, at: adapters[order].until + longestGap, second: start)
            adapters[order].since = time
        }
        adapters[order].until = max(adapters[order].until, time)
    }

    /// Records that an adapter receives nothing from the given time on, or from its latest evidence on.
    mutating func becameDeaf(_ order: Int, at time: Timestamp, second start: Timestamp) {
        let until = adapters[order].until
        stop(order, at: max(until, min(time.microseconds, until + longestGap)), second: start)
    }

    private mutating func stop(_ order: Int, at time: Int64, second start: Timestamp) {
        guard let since = adapters[order].since else { return }
        adapters[order].ended += max(0, time - max(since, start.microseconds))
        adapters[order].since = nil
    }

    /// Records that the clock of the data was set to another time.
    mutating func wasSet(to time: Timestamp) {
        for order in adapters.indices where adapters[order].since != nil {
            adapters[order].since = time.microseconds
            adapters[order].until = time.microseconds
        }
    }

    /// Moves the data of one adapter to another number.
    mutating func move(from: Int, to: Int) {
        adapters[to] = adapters[from]
        adapters[from] = AdapterListening()
    }

    /// Returns the listening time of the adapter that listened longest in a second that is over, and resets it.
    mutating func take(from start: Timestamp, to end: Timestamp) -> Duration {
        var longest: Int64 = 0
        for order in adapters.indices {
            var listened = adapters[order].ended
            if let since = adapters[order].since {
                let until = min(end.microseconds, adapters[order].until + longestGap)
                listened += max(0, until - max(since, start.microseconds))
            }
            longest = max(longest, listened)
            adapters[order].ended = 0
        }
        return .microseconds(min(longest, max(0, (end - start).clampedMicroseconds)))
    }
}
