public import BeaconModel

/// Complete state of an `InteractionTracker`, for a restart. A tracker restored from it gives the same events as the
/// original.
///
/// The tables of subjects received once are not included: those subjects must be confirmed again if they come in a
/// flood.
public struct TrackerState: Codable, Sendable {
    var tracks: [Track]
    /// Seed in `InteractionRules.seed`.
    var seed: UInt64
    var lastNumber: UInt64
    var clocks: [AdapterClock]
    var now: Timestamp
    var beaconReception: ReceptionPrior
    var phoneReception: ReceptionPrior
    var departed: [DepartedTable.Entry]
    var known: [LastNotedTable.Entry]
    var newcomers: [Newcomers.Rates]

    /// Upper bound for plausible durations.
    static let longest: Duration = .seconds(100 * 365 * 86_400)

    /// Whether the values read from a file are plausible: a file can be damaged and readable.
    public var isPlausible: Bool {
        tracks.allSatisfy(\.isPlausible) && beaconReception.isPlausible && phoneReception.isPlausible
            && clocks.allSatisfy { $0.deafness >= .zero && $0.deafness <= Self.longest }
            && departed.allSatisfy { entry in
                entry.departed.reception.isPlausible
                    && [entry.departed.silence, entry.departed.deafness].allSatisfy {
                        $0 >= .zero && $0 <= Self.longest
                    }
            }
    }

    /// Receiving time of an adapter.
    struct AdapterClock: Codable, Sendable {
        /// Time until which it was receiving.
        var time = Timestamp.epoch
        /// Start of the current deafness; `nil` while it is receiving.
        var deafSince: Timestamp?
        /// Total time it was deaf before that.
        var deafness: Duration = .zero
    }
}

extension InteractionTracker {
    /// The complete state, for a restart.
    public var state: TrackerState {
        TrackerState(
            tracks: tracks.all.sorted { $0.number < $1.number }, seed: rules.seed, lastNumber: lastNumber,
            clocks: clocks, now: now,
            beaconReception: beaconReception, phoneReception: phoneReception,
            departed: departed.inOrder.filter { $0.isKept(at: now, rules) },
            known: known.departed, newcomers: [newBeacons.rates, newPhones.rates])
    }

    /// Restores a tracker from a state. The adapter numbers must be the same.
    public init(rules: InteractionRules, state: TrackerState) {
        var rules = rules
        rules.seed = state.seed
        self.init(rules: rules)
        lastNumber = state.lastNumber
        now = state.now
        for (order, clock) in zip(TrackTable.orders, state.clocks) { clocks[order] = clock }
        (beaconReception, phoneReception) = (state.beaconReception, state.phoneReception)
        for entry in state.departed { departed.insert(entry) }
        known.departed = state.known
        if state.newcomers.count == 2 { (newBeacons.rates, newPhones.rates) = (state.newcomers[0], state.newcomers[1]) }
        for track in state.tracks where tracks.slot(of: track.subject) == nil && tracks.count < 4 * rules.capacity {
            var track = track
            if track.silence == .zero {
                track.learnSilence(rules, prior: track.subject.isBeacon ? beaconReception : phoneReception)
            }
            _ = tracks.insert(track)
        }
    }

    /// Resumes from the state of the previous run, which contains the time until which it was receiving.
    ///
    /// Nothing was received since then. Subjects that would have departed in that time are lost; the interactions of
    /// all others continue under their existing numbers. New numbers start from 1.
    ///
    /// - Parameters:
    ///   - state: the state of the previous run.
    ///   - run: the number of the previous run.
    ///   - time: now.
    /// - Returns: the tracker, and the events of interactions that ended.
    public static func resuming(
        _ state: TrackerState, ofRun run: UInt64, rules: InteractionRules, at time: Timestamp
    ) -> (tracker: InteractionTracker, events: [InteractionEvent]) {
        var tracker = InteractionTracker(rules: rules, state: state)
        tracker.lastNumber = 0
        tracker.hasOrphans = !state.tracks.isEmpty
        tracker.nameRun(run)
        var events: [InteractionEvent] = []
        for index in TrackTable.orders where tracker.clocks[index].time > .epoch {
            let adapter = Adapter(index: UInt16(index))
            let since = tracker.clocks[index].deafSince ?? tracker.clocks[index].time
            tracker.becameDeaf(adapter, at: since)
            events += tracker.deaf(adapter, for: max(.zero, time - since), at: time)
        }
        // The available adapters become known when they begin to listen.
        tracker.minute?.forgetListening()
        return (tracker, events)
    }
}
