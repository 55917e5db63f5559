public import BeaconModel

// Adapters that do not receive, or that come and go.
extension InteractionTracker {
    /// Records that the adapter has become deaf; its clock stops.
    public mutating func becameDeaf(_ adapter: Adapter, at time: Timestamp) {
        minute?.listening.becameDeaf(adapter)
        let order = TrackTable.order(of: adapter)
        second?.becameDeaf(order, at: time)
        if clocks[order].deafSince == nil { clocks[order].deafSince = max(clocks[order].time, time) }
    }

    /// Records that the adapter is receiving again; its clock continues from where it stopped.
    public mutating func hearsAgain(_ adapter: Adapter, at time: Timestamp) {
        minute?.listening.begins(adapter, at: time)
        let order = TrackTable.order(of: adapter)
        second?.listened(order, until: time)
        guard let since = clocks[order].deafSince else {
            // It starts to receive for the first time.
            if clocks[order].time == .epoch { clocks[order].time = time }
            return
        }
        clocks[order].deafSince = nil
        clocks[order].deafness += max(.zero, time - since)
        // It did not receive until now; that time is added to its deafness.
        clocks[order].time = max(clocks[order].time, time)
    }

    /// Records how long the adapter has been deaf, and ends interactions as `lost`. A subject that it received last is
    /// lost once the deafness is as long as a silence that would have been a departure, and at least as long as the
    /// assumed one.
    ///
    /// - Parameters:
    ///   - deafness: duration by a monotonic clock.
    ///   - time: now.
    public mutating func deaf(_ adapter: Adapter, for deafness: Duration, at time: Timestamp) -> [InteractionEvent] {
        passes(time)
        if let lost = clockWasSetBack(to: time) { return lost }
        guard deafness >= rules.silence.assumed else { return [] }
        now = max(now, time)
        let order = TrackTable.order(of: adapter)
        let due = tracks.slots(of: order).filter { tracks[$0].silence <= deafness }.map { remove($0) }
        return end(due.sorted { ($0.lastSeenAt, $0.number) < ($1.lastSeenAt, $1.number) }, order, reason: .lost)
    }

    /// Records how long no adapter has been available since the start. Subjects received before it are lost once that
    /// is as long as a silence.
    public mutating func deafEverywhere(for deafness: Duration, at time: Timestamp) -> [InteractionEvent] {
        TrackTable.orders.flatMap { deaf(Adapter(index: UInt16($0)), for: deafness, at: time) }
    }

    /// Records that an adapter has changed its number.
    ///
    /// Subjects received by the previous adapter with the new number keep their current silence, by the new adapter's
    /// clock.
    public mutating func renumber(_ before: Adapter, to after: Adapter) {
        let (from, to) = (TrackTable.order(of: before), TrackTable.order(of: after))
        guard from != to else { return }
        let (old, new) = (clocks[to], clocks[from])
        for slot in tracks.slots(of: to) {
            rebase(
                slot,
                silentFor: max(.zero, old.time - tracks[slot].lastSeenAt - (old.deafness - tracks[slot].deafness)), new)
        }
        tracks.move(from: from, to: after)
        minute?.listening.move(from: from, to: after)
        second?.move(from: from, to: to)
        clocks[to] = new
        clocks[from] = AdapterClock()
    }

    /// Marks a subject as silent for the given time by a clock.
    private mutating func rebase(_ slot: Int, silentFor silence: Duration, _ clock: AdapterClock) {
        tracks[slot].deafness = clock.deafness - max(.zero, clock.time - tracks[slot].lastSeenAt) + silence
        tracks.heard(slot)
    }

    /// Sets the available adapters. Subjects that another adapter received before a restart are assigned to the first
    /// of them, and their silence begins anew by its clock.
    public mutating func adopt(by adapters: [Adapter]) {
        guard hasOrphans, let first = adapters.first else { return }
        let orders = Set(adapters.map { TrackTable.order(of: $0) })
        let clock = clocks[TrackTable.order(of: first)]
        for order in TrackTable.orders where !orders.contains(order) {
            for slot in tracks.slots(of: order) {
                tracks[slot].adapter = first
                rebase(slot, silentFor: .zero, clock)
            }
        }
        hasOrphans = false
    }
}
