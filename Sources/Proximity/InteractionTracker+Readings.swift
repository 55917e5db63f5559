public import BeaconModel

extension InteractionTracker {
    /// The readings of the intervals that are over since this was last asked, oldest first.
    ///
    /// It is to be asked after each batch of packets: an interval is over with the first time at or after its end that
    /// the tracker is told by whatever it is told. What is heard later of it counts in the one that goes on. Of
    /// intervals in which it was told no time there are none.
    public mutating func takeReadings() -> [Readings] { minute?.take() ?? [] }

    /// Says that it is so late, and nothing of what was heard.
    ///
    /// A receiver that is deaf has readings too, which say so.
    public mutating func passes(_ time: Timestamp) {
        guard minute?.isOver(at: time) ?? false else { return }
        finishMinute(at: time)
    }

    /// Subjects that are missing in readings, because too many left in one interval.
    public var forgottenReadings: UInt64 { minute?.forgotten ?? 0 }

    /// Takes note that an adapter has heard whatever there was until then, in the interval or the two that this is in.
    mutating func noteListening(of adapter: Adapter, until time: Timestamp) {
        guard minute != nil else { return }
        let isDeaf = clocks[TrackTable.order(of: adapter)].deafSince != nil
        if minute?.isOver(at: time) ?? false {
            if !isDeaf { noteListening(of: [adapter], untilEndBefore: time) }
            finishMinute(at: time)
        }
        if !isDeaf { minute?.listening.listened(adapter, until: time) }
    }

    /// The same of all that listen.
    mutating func noteListeningOfAll(until time: Timestamp) {
        guard let minute else { return }
        let adapters = minute.listening.listening
        if minute.isOver(at: time) {
            noteListening(of: adapters, untilEndBefore: time)
            finishMinute(at: time)
        }
        for adapter in adapters { self.minute?.listening.listened(adapter, until: time) }
    }

    /// Counts what belongs to the interval that is over.
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

    /// Gives what there is of the interval that goes on.
    mutating func stopMinute(at time: Timestamp) {
        passes(time)
        guard minute != nil else { return }
        minute?.stop(at: time, present: tracks.takeTallies())
    }
}
