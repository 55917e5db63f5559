public import BeaconModel

/// All that an `InteractionTracker` knows, for a restart: a tracker that begins with it gives the events that the one it
/// was taken of would have given.
///
/// Without the tables of strangers who were heard once: those have to prove themselves again if they come in a flood.
public struct TrackerState: Codable, Sendable {
    var tracks: [Track]
    /// `InteractionRules.seed`.
    var seed: UInt64
    var lastNumber: UInt64
    var clocks: [AdapterClock]
    var now: Timestamp
    var beaconReception: ReceptionPrior
    var phoneReception: ReceptionPrior
    var departed: [DepartedTable.Entry]
    var known: [LastNotedTable.Entry]
    var newcomers: [Newcomers.Rates]

    /// Longer than anything takes.
    static let longest: Duration = .seconds(100 * 365 * 86_400)

    /// Whether what was read of it can be: a file can be damaged and readable.
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

    /// What an adapter heard, in time.
    struct AdapterClock: Codable, Sendable {
        /// Until when it has heard.
        var time = Timestamp.epoch
        /// While it is deaf, since when.
        var deafSince: Timestamp?
        /// How long it was deaf until then, in all.
        var deafness: Duration = .zero
    }
}

extension InteractionTracker {
    public var state: TrackerState {
        TrackerState(
            tracks: tracks.all.sorted { $0.number < $1.number }, seed: rules.seed, lastNumber: lastNumber,
            clocks: clocks, now: now,
            beaconReception: beaconReception, phoneReception: phoneReception,
            departed: departed.inOrder.filter { $0.isKept(at: now, rules) },
            known: known.departed, newcomers: [newBeacons.rates, newPhones.rates])
    }

    /// Begins with what another knew. Its numbers of adapters have to be this one's.
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

    /// Begins where the run before left off, of which this one knows until when it heard.
    ///
    /// Nothing was heard since then: whoever would have departed in that time is lost, and the interactions of all
    /// others go on under the numbers that they have. Numbers begin anew.
    ///
    /// - Parameters:
    ///   - state: of the run before.
    ///   - run: its number.
    ///   - time: now.
    /// - Returns: also what ended by that.
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
        // Which adapters there are is known when they begin to listen.
        tracker.minute?.forgetListening()
        return (tracker, events)
    }
}
