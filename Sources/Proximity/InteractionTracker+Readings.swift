public import BeaconModel

extension InteractionTracker {
    /// Returns the readings of the intervals that ended since the last call, oldest first.
    ///
    /// Call it after each batch of packets. An interval ends with the first time at or after its end that the tracker
    /// receives in any call. Data that arrives later for it counts in the current interval. Intervals in which the
    /// tracker received no time have no readings.
    public mutating func takeReadings() -> [Readings] { minute?.take() ?? [] }

    /// Advances the time without reporting reception.
    ///
    /// A deaf receiver has readings and signals too, which state its deafness.
    public mutating func passes(_ time: Timestamp) {
        if minute?.isOver(at: time) ?? false { finishMinute(at: time) }
        if second?.isOver(at: time) ?? false { finishSecond(at: time) }
    }

    /// Number of subjects missing from readings, because too many departed in one interval.
    public var forgottenReadings: UInt64 { minute?.forgotten ?? 0 }

    /// Records that an adapter was receiving until the time, in the one or two intervals concerned.
    mutating func noteListening(of adapter: Adapter, until time: Timestamp) {
        guard minute != nil else { return }
        let isDeaf = clocks[TrackTable.order(of: adapter)].deafSince != nil
        if minute?.isOver(at: time) ?? false {
            if !isDeaf { noteListening(of: [adapter], untilEndBefore: time) }
            finishMinute(at: time)
        }
        if !isDeaf { minute?.listening.listened(adapter, until: time) }
    }

    /// Records that all listening adapters were receiving until the time.
    mutating func noteListeningOfAll(until time: Timestamp) {
        guard let minute else { return }
        let adapters = minute.listening.listening
        if minute.isOver(at: time) {
            noteListening(of: adapters, untilEndBefore: time)
            finishMinute(at: time)
        }
        for adapter in adapters { self.minute?.listening.listened(adapter, until: time) }
    }

    /// Counts the part that belongs to the interval that is over.
    private mutating func noteListening(of adapters: [Adapter], untilEndBefore time: Timestamp) {
        guard let minute, let startedAt = minute.startedAt, time > startedAt else { return }
        for adapter in adapters where minute.listening.isContinuous(adapter, until: time) {
            self.minute?.listening.listened(adapter, until: min(time, startedAt + minute.interval))
        }
    }

    private mutating func finishMinute(at time: Timestamp) {
        if let startedAt = minute?.startedAt, time < startedAt { minute?.listening.wasSet(to: time) }
        minute?.finish(at: time, present: tracks.takeTallies())
    }

    /// Finishes the readings of the current interval early.
    mutating func stopMinute(at time: Timestamp) {
        passes(time)
        guard minute != nil else { return }
        minute?.stop(at: time, present: tracks.takeTallies())
    }
}
