public import BeaconModel

extension InteractionTracker {
    /// Returns the signals of the seconds that ended since the last call, oldest first.
    ///
    /// Call it after each batch of packets. A second ends with the first time at or after its end that the tracker
    /// receives in any call. Packets that arrive later for it count in the current second. Seconds in which the tracker
    /// received no time have no signals. Of seconds in which no subject was received, there are those of the
    /// first 5 s, then one every 10 s, and the first in which the receiver has become deaf or listens again.
    public mutating func takeSignals() -> [Signals] { second?.take() ?? [] }

    /// Sets whether there are signals, from the next time that the tracker receives.
    public mutating func setSignals(_ isOn: Bool) {
        guard isOn != (second != nil) else { return }
        rules.hasSignals = isOn
        second = SignalsSecond(rules)
        _ = tracks.takeSecond()
        for order in TrackTable.orders where clocks[order].deafSince == nil && clocks[order].time > .epoch {
            second?.listened(order, until: clocks[order].time)
        }
    }

    /// Records that an adapter was receiving until the time.
    mutating func noteSignals(of order: Int, until time: Timestamp) {
        guard second != nil else { return }
        if second?.isOver(at: time) ?? false { finishSecond(at: time) }
        if clocks[order].deafSince == nil { second?.listened(order, until: time) }
    }

    /// Records that all listening adapters were receiving until the time.
    mutating func noteSignalsOfAll(until time: Timestamp) {
        guard second != nil else { return }
        for order in TrackTable.orders where clocks[order].time > .epoch { noteSignals(of: order, until: time) }
    }

    mutating func finishSecond(at time: Timestamp) { second?.finish(at: time, heard: tracks.takeSecond()) }

    /// Finishes the signals of the second before the time, and drops those of a second that is not over.
    mutating func stopSignals(at time: Timestamp) {
        guard second?.isOver(at: time) != nil else { return }
        if second?.isOver(at: time) ?? false { finishSecond(at: time) }
        second?.stop()
        _ = tracks.takeSecond()
    }
}
