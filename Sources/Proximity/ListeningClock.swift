import BeaconModel

/// Listening time of the adapters in the current interval, from evidence that an adapter was receiving until a time.
///
/// The time between two pieces of evidence counts if it is not longer than `InteractionRules.longestListeningGap`. Late
/// evidence for an earlier interval counts in the current one, as readings do.
struct ListeningClock: Sendable {
    /// Maximum gap in microseconds.
    private let longestGap: Int64
    /// Listening of each of `TrackTable.orders`.
    private var adapters: [AdapterListening] = Array(repeating: AdapterListening(), count: TrackTable.orders.count)
    /// Time until which any adapter has listened, and the listening time in this interval, in microseconds.
    private var anyUntil: Int64 = 0
    private var anyListened: Int64 = 0

    private struct AdapterListening: Sendable {
        /// Adapter; `nil` for one that was never present.
        var adapter: Adapter?
        /// Latest evidence, in microseconds since 1970; `nil` while the adapter is deaf, or before its first evidence.
        var until: Int64?
        /// Listening time in this interval, in microseconds.
        var listened: Int64 = 0
    }

    init(longestGap: Duration) { self.longestGap = longestGap.clampedMicroseconds }

    /// Adapters that are listening.
    var listening: [Adapter] { adapters.compactMap { $0.until == nil ? nil : $0.adapter } }

    /// Whether the time since an adapter's latest evidence counts, if it was receiving until the given time.
    func isContinuous(_ adapter: Adapter, until time: Timestamp) -> Bool {
        adapters[TrackTable.order(of: adapter)].until.map { time.microseconds - $0 <= longestGap } ?? false
    }

    /// Records that the adapter was receiving until the given time.
    mutating func listened(_ adapter: Adapter, until time: Timestamp) {
        let order = TrackTable.order(of: adapter)
        adapters[order].adapter = adapter
        let time = time.microseconds
        guard let before = adapters[order].until else {
            adapters[order].until = time
            return
        }
        let gap = time - before
        guard gap > 0 else { return }
        adapters[order].until = time
        guard gap <= longestGap else { return }
        adapters[order].listened += gap
        let since = max(before, anyUntil)
        guard time > since else { return }
        anyListened += time - since
        anyUntil = time
    }

    /// Records that the adapter is present and starts to listen.
    mutating func begins(_ adapter: Adapter, at time: Timestamp) {
        let order = TrackTable.order(of: adapter)
        adapters[order].adapter = adapter
        adapters[order].until = max(adapters[order].until ?? 0, time.microseconds)
    }

    /// Records that the adapter is present and receives nothing from now on.
    mutating func becameDeaf(_ adapter: Adapter) {
        let order = TrackTable.order(of: adapter)
        adapters[order].adapter = adapter
        adapters[order].until = nil
    }

    /// Excludes the time until now from the listening time.
    mutating func forgetGap(of order: Int, until time: Timestamp) {
        if adapters[order].until != nil { adapters[order].until = max(adapters[order].until ?? 0, time.microseconds) }
    }

    /// Records that the clock of the data was set to another time.
    mutating func wasSet(to time: Timestamp) {
        for order in adapters.indices where adapters[order].until != nil {
            adapters[order].until = time.microseconds
        }
        anyUntil = time.microseconds
    }

    /// Moves the data of one adapter to another number.
    mutating func move(from: Int, to after: Adapter) {
        adapters[TrackTable.order(of: after)] = adapters[from]
        adapters[TrackTable.order(of: after)].adapter = after
        adapters[from] = AdapterListening()
    }

    /// Returns the listening time of an interval that is over, and resets it.
    mutating func take(of interval: Duration) -> (any: Duration, adapters: [Readings.Listening]) {
        let longest = interval.clampedMicroseconds
        func duration(_ microseconds: Int64) -> Duration { .microseconds(min(max(0, microseconds), longest)) }
        let listening = adapters.compactMap { each in
            each.adapter.map { Readings.Listening(adapter: $0, listened: duration(each.listened)) }
        }
        let any = duration(anyListened)
        for order in adapters.indices { adapters[order].listened = 0 }
        anyListened = 0
        return (any, listening)
    }

    /// Whether any adapter has listened in this interval.
    var hasListened: Bool { anyListened > 0 }
}
