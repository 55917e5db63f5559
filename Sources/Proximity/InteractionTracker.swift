public import BeaconModel

/// Tracker that turns sightings into interactions: the subjects present, the start and distance of each, and their
/// departures.
///
/// Pure: time arrives with the sightings and through `heard`, and equal inputs give equal events.
///
/// Each adapter has its own clock, which runs only while the adapter is receiving. A subject departs by the clock of
/// the adapter that received it last, so that no subject departs because of a deaf adapter.
public struct InteractionTracker: Sendable {
    var rules: InteractionRules
    var tracks = TrackTable()
    /// Reception priors of beacons and of phones.
    var beaconReception = ReceptionPrior()
    var phoneReception = ReceptionPrior()
    var departed: DepartedTable
    /// Excess of each adapter's readings, in dB.
    private var offsets = Array(repeating: 0.0, count: TrackTable.orders.count)
    var lastNumber: UInt64 = 0
    var clocks: [AdapterClock] = Array(repeating: AdapterClock(), count: TrackTable.orders.count)
    var now: Timestamp = .epoch
    var newBeacons: Newcomers
    var newPhones: Newcomers
    var known: KnownBeacons

    /// Current interval of readings; `nil` where no readings are wanted.
    var minute: ReadingsMinute?
    /// Current second of signals; `nil` where no signals are wanted.
    var second: SignalsSecond?

    /// Whether some subjects may belong to an adapter that is missing since a restart.
    var hasOrphans = false

    /// Counts of sightings of subjects that are not tracked.
    public private(set) var refusals = Refusals()

    typealias AdapterClock = TrackerState.AdapterClock

    /// Creates a tracker without subjects.
    public init(rules: InteractionRules) {
        self.rules = rules
        newBeacons = Newcomers(rules)
        newPhones = Newcomers(rules)
        known = KnownBeacons(knownAfter: rules.knownAfter)
        departed = DepartedTable(capacity: min(rules.capacity, 4096))
        minute = ReadingsMinute(rules)
        second = SignalsSecond(rules)
    }

    /// Sets the excess of an adapter's readings over a receiver with offset 0, in dB. It is subtracted from all later
    /// RSSI values.
    public mutating func setOffset(_ offset: Double, of adapter: Adapter) {
        offsets[TrackTable.order(of: adapter)] = offset
    }

    /// Sets the path-loss exponent for beacons from now on.
    public mutating func setExponent(_ exponent: Double) { rules.distance.beacons.exponent = exponent }

    /// Sets the beacons of the inventory, which are admitted whatever else is received.
    public mutating func expect(_ beacons: Set<BeaconID>) { known.expected = beacons }

    /// Beacons of the inventory.
    public var expected: Set<BeaconID> { known.expected }

    /// Number of tracked subjects.
    public var count: Int { tracks.count }

    /// Processes a sighting and returns the resulting events, oldest first. Subjects that cannot be tracked are
    /// ignored.
    ///
    /// A sighting that is slightly older than the time already reached counts as of the time reached.
    public mutating func observe(_ sighting: Sighting) -> [InteractionEvent] {
        var events = received(by: sighting.adapter, at: sighting.time)
        guard let subject = sighting.subject else { return events }
        guard let slot = tracks.slot(of: subject) else {
            if let event = begin(subject, with: sighting) { events.append(event) }
            return events
        }
        if now - tracks[slot].startedAt >= rules.longest {
            tracks[slot].addMinutes(until: now, rules: rules)
            let closed = tracks[slot].snapshot(ending: .init(at: now, reason: .continued), rules: rules)
            events.append(InteractionEvent(kind: .ended, time: now, interaction: closed))
            lastNumber += 1
            tracks[slot].continueAs(number: lastNumber, at: now)
            hear(Reading(sighting), in: slot, at: now)
            events.append(InteractionEvent(kind: .started, time: now, interaction: tracks[slot].snapshot(rules: rules)))
            return events
        }
        hear(Reading(sighting), in: slot, at: now)
        if now - tracks[slot].reportedAt >= rules.updateInterval {
            tracks[slot].reportedAt = now
            events.append(InteractionEvent(kind: .updated, time: now, interaction: tracks[slot].snapshot(rules: rules)))
        }
        return events
    }

    /// Records that the adapter received a packet of an untracked subject, and returns the interactions that ended by
    /// silence until then.
    ///
    /// Unlike `heard`, it gives no evidence about the time before: a silence in which several subjects fell silent at
    /// one moment is the adapter's (`InteractionRules.fewestSilentTogether`).
    public mutating func received(by adapter: Adapter, at time: Timestamp) -> [InteractionEvent] {
        noteCommonSilence(until: time, of: TrackTable.order(of: adapter))
        return heard(by: adapter, until: time)
    }

    /// Records that the adapter was receiving until `time`, and returns the interactions that ended by silence until
    /// then, in the order of their ends.
    ///
    /// When the clock was set back, all interactions end as `lost` at the time of the old clock and begin anew.
    public mutating func heard(by adapter: Adapter, until time: Timestamp) -> [InteractionEvent] {
        let order = TrackTable.order(of: adapter)
        noteListening(of: adapter, until: time)
        noteSignals(of: order, until: time)
        if let lost = clockWasSetBack(to: time) { return lost }
        now = max(now, time)
        clocks[order].time = max(clocks[order].time, time)
        return departures(order)
    }

    /// Records that every adapter was receiving until `time`.
    public mutating func advance(to time: Timestamp) -> [InteractionEvent] {
        noteListeningOfAll(until: time)
        noteSignalsOfAll(until: time)
        if let lost = clockWasSetBack(to: time) { return lost }
        now = max(now, time)
        let events = TrackTable.orders.flatMap { order in
            clocks[order].time = max(clocks[order].time, time)
            return departures(order)
        }
        return events.sorted { ($0.time, $0.interaction.number) < ($1.time, $1.interaction.number) }
    }

    /// Sets the run of the gateway in which the known interactions began.
    mutating func nameRun(_ run: UInt64) {
        tracks.changeAll { $0.nameRun(run) }
        departed.nameRun(run)
    }

    /// Detects a silence of the adapter when it did not report reception itself: several subjects fell silent at once.
    private mutating func noteCommonSilence(until time: Timestamp, of order: Int) {
        let clock = clocks[order]
        guard time - clock.time >= Self.shortestCommonSilence, clock.time > .epoch, clock.deafSince == nil else {
            return
        }
        let latest = tracks.slots(of: order).count { clock.time - tracks[$0].lastSeenAt <= Self.recent }
        if latest >= rules.fewestSilentTogether {
            clocks[order].deafness += time - clock.time
            minute?.listening.forgetGap(of: order, until: time)
        }
    }

    private static let shortestCommonSilence: Duration = .seconds(5)
    private static let recent: Duration = .seconds(20)

    mutating func clockWasSetBack(to time: Timestamp) -> [InteractionEvent]? {
        guard now - time > rules.largestDisorder else { return nil }
        let lost = endAll(at: now, reason: .lost)
        minute?.listening.wasSet(to: time)
        now = time
        for order in TrackTable.orders {
            clocks[order].time = time
            if clocks[order].deafSince != nil { clocks[order].deafSince = time }
        }
        newBeacons.forgetRates(rules)
        newPhones.forgetRates(rules)
        departed.removeAll()
        return lost
    }

    /// Ends the interactions of subjects that an adapter received last and that were silent for too long while it was
    /// receiving.
    private mutating func departures(_ order: Int) -> [InteractionEvent] {
        let clock = clocks[order]
        // While the adapter is deaf, no silence runs out.
        guard clock.deafSince == nil else { return [] }
        var due: [Track] = []
        while let slot = tracks.firstSlot(order), end(of: tracks[slot], clock) <= clock.time {
            // Since its last advertisement, other subjects may have shown that reception here is less frequent than
            // assumed.
            let prior = tracks[slot].subject.isBeacon ? beaconReception : phoneReception
            if tracks[slot].prolongSilence(rules, prior: prior), end(of: tracks[slot], clock) > clock.time {
                tracks.heard(slot)
                continue
            }
            due.append(remove(slot))
        }
        guard !due.isEmpty else { return [] }
        due.sort { (end(of: $0, clock), $0.number) < (end(of: $1, clock), $1.number) }
        return end(due, order, reason: .departed)
    }

    /// Returns the time at which the silence of a subject becomes too long, if its adapter keeps receiving.
    private func end(of track: Track, _ clock: AdapterClock) -> Timestamp {
        track.lastSeenAt + track.silence + (clock.deafness - track.deafness)
    }

    /// Removes a track and keeps its tally of this interval for the readings.
    mutating func remove(_ slot: Int) -> Track {
        minute?.left(tracks[slot].subject, tracks.takeTally(of: slot))
        return tracks.remove(slot)
    }

    mutating func end(_ due: [Track], _ order: Int, reason: Interaction.EndReason) -> [InteractionEvent] {
        due.map { track in
            known.left(track, seed: rules.seed)
            departed.left(track, reason)
            return InteractionEvent(
                kind: .ended, time: reason == .departed ? end(of: track, clocks[order]) : now,
                interaction: track.snapshot(ending: .init(at: track.lastSeenAt, reason: reason), rules: rules))
        }
    }

    /// Ends all interactions at `time`, in the order in which they started. A shutdown also finishes the readings of
    /// the current interval.
    public mutating func endAll(at time: Timestamp, reason: Interaction.EndReason) -> [InteractionEvent] {
        now = max(now, time)
        let before = TrackTable.orders.flatMap { departures($0) }
        if reason == .shutdown {
            stopSignals(at: time)
            stopMinute(at: time)
        } else if minute != nil {
            for (subject, tally) in tracks.takeTallies() { minute?.left(subject, tally) }
        }
        let ended = end(tracks.all.sorted { $0.number < $1.number }, 0, reason: reason)
        tracks.removeAll()
        return before + ended
    }

    /// Interactions of all present subjects, for display.
    public var present: [Interaction] {
        tracks.all.sorted { $0.number < $1.number }.map { $0.snapshot(rules: rules) }
    }

    private mutating func hear(_ reading: Reading, in slot: Int, at time: Timestamp) {
        let order = TrackTable.order(of: reading.adapter)
        let (offset, deafness) = (offsets[order], clocks[order].deafness)
        if minute != nil { tracks.count(reading.rssi, in: slot) }
        if second != nil { tracks.countInSecond(reading.rssi, in: slot) }
        if tracks[slot].subject.isBeacon {
            tracks[slot].add(
                reading, at: time, offset: offset, deafness: deafness, rules: rules, prior: &beaconReception)
        } else {
            tracks[slot].add(
                reading, at: time, offset: offset, deafness: deafness, rules: rules, prior: &phoneReception)
        }
        tracks.heard(slot)
    }

    private mutating func begin(_ subject: Subject, with sighting: Sighting) -> InteractionEvent? {
        var reception = Reception()
        var first: Reading?
        var interrupted: DepartedTable.Interaction?
        switch departed.judge(Reading(sighting), of: subject, longest: rules.silence.longest) {
        case .stranger: break
        case .perhaps:
            refusals.strays += 1
            return nil
        case .here(let earlier):
            reception = earlier.reception
            first = earlier.stray
            if now - earlier.lastSeenAt <= max(earlier.silence, rules.silence.assumed) {
                interrupted = earlier.interrupted
            }
            let clock = clocks[TrackTable.order(of: sighting.adapter)]
            if earlier.hasLeft, sighting.adapter == earlier.adapter, clock.deafness == earlier.deafness {
                let gap = (first?.time ?? now) - earlier.lastSeenAt
                if subject.isBeacon {
                    reception.returned(after: gap, silence: earlier.silence, to: &beaconReception)
                } else {
                    reception.returned(after: gap, silence: earlier.silence, to: &phoneReception)
                }
            }
        }
        guard admit(subject) else { return nil }
        lastNumber += 1
        var track = Track(
            number: lastNumber, subject: subject, at: min(first?.time ?? now, now), adapter: sighting.adapter,
            reception: reception)
        if let interrupted { track.goOn(from: interrupted) }
        let slot = tracks.insert(track)
        if let first {
            // It was counted as a stray and turned out not to be one.
            refusals.strays -= refusals.strays > 0 ? 1 : 0
            hear(first, in: slot, at: min(first.time, now))
        }
        hear(Reading(sighting), in: slot, at: now)
        return InteractionEvent(kind: .started, time: now, interaction: tracks[slot].snapshot(rules: rules))
    }

    /// Whether an untracked subject can be admitted; counts the reason if not.
    private mutating func admit(_ subject: Subject) -> Bool {
        let isBeacon = subject.isBeacon
        let present = isBeacon ? tracks.beaconCount : tracks.count - tracks.beaconCount
        let fingerprint = subject.fingerprint(seed: rules.seed)
        if known.expects(subject) { return true }
        let isKnown = isBeacon && known.isKnown(fingerprint, at: now)
        if !isKnown {
            switch isBeacon ? newBeacons.judge(fingerprint, at: now) : newPhones.judge(fingerprint, at: now) {
            case .welcome: break
            case .unconfirmed:
                refusals.unconfirmed += 1
                return false
            case .tooMany:
                refusals.newInteractionRate += 1
                return false
            }
        }
        guard present < (isKnown ? rules.capacity + rules.capacity / 4 : rules.capacity) else {
            refusals.tableFull += 1
            return false
        }
        if !isKnown { if isBeacon { newBeacons.began(at: now) } else { newPhones.began(at: now) } }
        return true
    }
}
