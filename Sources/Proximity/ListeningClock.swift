import BeaconModel

/// How long the adapters have listened in the interval that goes on, by evidence: whatever says that an adapter heard
/// what there was until a time.
///
/// The time between two pieces of evidence counts if it isn't longer than `InteractionRules.longestListeningGap`. Evidence
/// that comes late for an interval that is over counts in the one that goes on, as readings do.
struct ListeningClock: Sendable {
    /// In microseconds.
    private let longestGap: Int64
    /// One for each of `TrackTable.orders`.
    private var adapters: [AdapterListening] = Array(repeating: AdapterListening(), count: TrackTable.orders.count)
    /// Until when any of them has listened, and for how long in this interval, in microseconds.
    private var anyUntil: Int64 = 0
    private var anyListened: Int64 = 0

    private struct AdapterListening: Sendable {
        /// `nil` for one that was never there.
        var adapter: Adapter?
        /// In microseconds since 1970; `nil` while it is deaf, or before its first evidence.
        var until: Int64?
        /// In this interval, in microseconds.
        var listened: Int64 = 0
    }

    init(longestGap: Duration) { self.longestGap = longestGap.clampedMicroseconds }

    /// Those that listen.
    var listening: [Adapter] { adapters.compactMap { $0.until == nil ? nil : $0.adapter } }

    /// Whether the time since an adapter's latest evidence counts, if it has heard until then.
    func isContinuous(_ adapter: Adapter, until time: Timestamp) -> Bool {
        adapters[TrackTable.order(of: adapter)].until.map { time.microseconds - $0 <= longestGap } ?? false
    }

    /// The adapter has heard whatever there was until then.
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

    /// The adapter is there, and begins to listen.
    mutating func begins(_ adapter: Adapter, at time: Timestamp) {
        let order = TrackTable.order(of: adapter)
        adapters[order].adapter = adapter
        adapters[order].until = max(adapters[order].until ?? 0, time.microseconds)
    }

    /// The adapter is there, and hears nothing from here on.
    mutating func becameDeaf(_ adapter: Adapter) {
        let order = TrackTable.order(of: adapter)
        adapters[order].adapter = adapter
        adapters[order].until = nil
    }

    /// What was until now isn't known to have been listened in.
    mutating func forgetGap(of order: Int, until time: Timestamp) {
        if adapters[order].until != nil { adapters[order].until = max(adapters[order].until ?? 0, time.microseconds) }
    }

    /// The clock of the data was set to another time.
    mutating func wasSet(to time: Timestamp) {
        for order in adapters.indices where adapters[order].until != nil {
            adapters[order].until = time.microseconds
        }
        anyUntil = time.microseconds
    }

    /// What one adapter was is another from here on.
    mutating func move(from: Int, to after: Adapter) {
        adapters[TrackTable.order(of: after)] = adapters[from]
        adapters[TrackTable.order(of: after)].adapter = after
        adapters[from] = AdapterListening()
    }

    /// What was listened in an interval that is over; counts anew from here on.
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
