public import BeaconModel

/// Turns sightings into interactions: who is here, since when, how near, and when they left.
///
/// Pure: time arrives with the sightings and through `heard`, and equal inputs give equal events.
///
/// Each adapter has a clock of its own, which runs only while the adapter hears. A subject departs by the clock of the
/// adapter that heard it last, so that nobody is said to be gone by an adapter that is deaf.
public struct InteractionTracker: Sendable {
    var rules: InteractionRules
    var tracks = TrackTable()
    /// Of beacons and of phones.
    var beaconReception = ReceptionPrior()
    var phoneReception = ReceptionPrior()
    var departed: DepartedTable
    /// How much more than others each adapter reads, in dB.
    private var offsets = Array(repeating: 0.0, count: TrackTable.orders.count)
    var lastNumber: UInt64 = 0
    var clocks: [AdapterClock] = Array(repeating: AdapterClock(), count: TrackTable.orders.count)
    var now: Timestamp = .epoch
    var newBeacons: Newcomers
    var newPhones: Newcomers
    var known: KnownBeacons

    /// The interval of readings that goes on; `nil` where none are wanted.
    var minute: ReadingsMinute?

    /// Whether there may be somebody whom an adapter heard that isn't here since a restart.
    var hasOrphans = false

    /// Sightings of subjects that aren't followed.
    public private(set) var refusals = Refusals()

    typealias AdapterClock = TrackerState.AdapterClock

    public init(rules: InteractionRules) {
        self.rules = rules
        newBeacons = Newcomers(rules)
        newPhones = Newcomers(rules)
        known = KnownBeacons(knownAfter: rules.knownAfter)
        departed = DepartedTable(capacity: min(rules.capacity, 4096))
        minute = ReadingsMinute(rules)
    }

    /// Says how much more than a receiver of offset 0 an adapter reads, in dB: that is subtracted from what it hears
    /// from here on.
    public mutating func setOffset(_ offset: Double, of adapter: Adapter) {
        offsets[TrackTable.order(of: adapter)] = offset
    }

    /// The path-loss exponent for beacons from here on.
    public mutating func setExponent(_ exponent: Double) { rules.distance.beacons.exponent = exponent }

    /// Names beacons that are welcome whatever else is on the air: those of the inventory.
    public mutating func expect(_ beacons: Set<BeaconID>) { known.expected = beacons }

    /// Those of the inventory.
    public var expected: Set<BeaconID> { known.expected }

    /// Subjects followed at present.
    public var count: Int { tracks.count }

    /// Takes one sighting in; gives what became known by it, oldest first. Whoever can't be followed is passed over.
    ///
    /// A sighting that is a little older than the time already reached counts as of the time reached.
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

    /// Says that the adapter received something of somebody who isn't followed; gives what ended by silence until then.
    ///
    /// Unlike `heard` it says nothing of the time before: what several fell silent in at one moment is the adapter's
    /// silence (`InteractionRules.fewestSilentTogether`).
    public mutating func received(by adapter: Adapter, at time: Timestamp) -> [InteractionEvent] {
        noteCommonSilence(until: time, of: TrackTable.order(of: adapter))
        return heard(by: adapter, until: time)
    }

    /// Says that the adapter heard whatever there was until `time`; gives the interactions that ended by silence until
    /// then, in the order of their ends.
    ///
    /// When the clock was set back, everything ends as `lost` at the time of the old clock, and begins anew.
    public mutating func heard(by adapter: Adapter, until time: Timestamp) -> [InteractionEvent] {
        noteListening(of: adapter, until: time)
        if let lost = clockWasSetBack(to: time) { return lost }
        now = max(now, time)
        let order = TrackTable.order(of: adapter)
        clocks[order].time = max(clocks[order].time, time)
        return departures(order)
    }

    /// Says that every adapter heard whatever there was until `time`.
    public mutating func advance(to time: Timestamp) -> [InteractionEvent] {
        noteListeningOfAll(until: time)
        if let lost = clockWasSetBack(to: time) { return lost }
        now = max(now, time)
        let events = TrackTable.orders.flatMap { order in
            clocks[order].time = max(clocks[order].time, time)
            return departures(order)
        }
        return events.sorted { ($0.time, $0.interaction.number) < ($1.time, $1.interaction.number) }
    }

    /// Says that the adapter has become deaf; its clock stops.
    public mutating func becameDeaf(_ adapter: Adapter, at time: Timestamp) {
        minute?.listening.becameDeaf(adapter)
        let order = TrackTable.order(of: adapter)
        if clocks[order].deafSince == nil { clocks[order].deafSince = max(clocks[order].time, time) }
    }

    /// Says that the adapter hears again; its clock goes on from where it stopped.
    public mutating func hearsAgain(_ adapter: Adapter, at time: Timestamp) {
        minute?.listening.begins(adapter, at: time)
        let order = TrackTable.order(of: adapter)
        guard let since = clocks[order].deafSince else {
            // It begins to hear.
            if clocks[order].time == .epoch { clocks[order].time = time }
            return
        }
        clocks[order].deafSince = nil
        clocks[order].deafness += max(.zero, time - since)
        // Until then it hasn't heard, which is counted now.
        clocks[order].time = max(clocks[order].time, time)
    }

    /// Says that the adapter has been deaf for so long: whoever it heard last is lost once that is as long as a silence
    /// that would have been a departure, and at least as long as the assumed one.
    ///
    /// - Parameters:
    ///   - deafness: by a clock that nobody sets.
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

    /// Says in which run of the gateway the interactions began that it knows.
    mutating func nameRun(_ run: UInt64) {
        tracks.changeAll { $0.nameRun(run) }
        departed.nameRun(run)
    }

    /// Says that no adapter has been there for so long since the start: whoever was heard before it is lost once that is
    /// as long as a silence.
    public mutating func deafEverywhere(for deafness: Duration, at time: Timestamp) -> [InteractionEvent] {
        TrackTable.orders.flatMap { deaf(Adapter(index: UInt16($0)), for: deafness, at: time) }
    }

    /// Says that an adapter has another number than before.
    ///
    /// Those whom the one heard that had this number before keep the silence that they have, by the new one's clock.
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
        clocks[to] = new
        clocks[from] = AdapterClock()
    }

    /// Has somebody been silent for so long, by a clock.
    private mutating func rebase(_ slot: Int, silentFor silence: Duration, _ clock: AdapterClock) {
        tracks[slot].deafness = clock.deafness - max(.zero, clock.time - tracks[slot].lastSeenAt) + silence
        tracks.heard(slot)
    }

    /// Says which adapters there are: those who were heard before a restart by another are given to the first of them,
    /// by whose clock their silence begins anew.
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

    /// Nothing at all was heard for a while, by nobody's word: if several fell silent at once, it was the adapter.
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

    private mutating func clockWasSetBack(to time: Timestamp) -> [InteractionEvent]? {
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

    /// Ends those whom an adapter heard last and who have been silent for too long while it heard.
    private mutating func departures(_ order: Int) -> [InteractionEvent] {
        let clock = clocks[order]
        // While it is deaf nothing that is known runs out.
        guard clock.deafSince == nil else { return [] }
        var due: [Track] = []
        while let slot = tracks.firstSlot(order), end(of: tracks[slot], clock) <= clock.time {
            // Others may have shown since its last advertisement that here one is heard less often than was thought.
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

    /// When the silence of a subject will have been too long, if its adapter goes on hearing.
    private func end(of track: Track, _ clock: AdapterClock) -> Timestamp {
        track.lastSeenAt + track.silence + (clock.deafness - track.deafness)
    }

    /// What was heard of it in this interval is kept for the readings.
    private mutating func remove(_ slot: Int) -> Track {
        minute?.left(tracks[slot].subject, tracks.takeTally(of: slot))
        return tracks.remove(slot)
    }

    private mutating func end(_ due: [Track], _ order: Int, reason: Interaction.EndReason) -> [InteractionEvent] {
        due.map { track in
            known.left(track, seed: rules.seed)
            departed.left(track, reason)
            return InteractionEvent(
                kind: .ended, time: reason == .departed ? end(of: track, clocks[order]) : now,
                interaction: track.snapshot(ending: .init(at: track.lastSeenAt, reason: reason), rules: rules))
        }
    }

    /// Ends every interaction at `time`, in the order in which they started. With a shutdown there are readings of the
    /// interval that has begun.
    public mutating func endAll(at time: Timestamp, reason: Interaction.EndReason) -> [InteractionEvent] {
        now = max(now, time)
        let before = TrackTable.orders.flatMap { departures($0) }
        if reason == .shutdown {
            stopMinute(at: time)
        } else if minute != nil {
            for (subject, tally) in tracks.takeTallies() { minute?.left(subject, tally) }
        }
        let ended = end(tracks.all.sorted { $0.number < $1.number }, 0, reason: reason)
        tracks.removeAll()
        return before + ended
    }

    /// Everybody who is here now, for a table that people look at.
    public var present: [Interaction] {
        tracks.all.sorted { $0.number < $1.number }.map { $0.snapshot(rules: rules) }
    }

    private mutating func hear(_ reading: Reading, in slot: Int, at time: Timestamp) {
        let order = TrackTable.order(of: reading.adapter)
        let (offset, deafness) = (offsets[order], clocks[order].deafness)
        if minute != nil { tracks.count(reading.rssi, in: slot) }
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
            // It was counted as a stray, and turned out to be none.
            refusals.strays -= refusals.strays > 0 ? 1 : 0
            hear(first, in: slot, at: min(first.time, now))
        }
        hear(Reading(sighting), in: slot, at: now)
        return InteractionEvent(kind: .started, time: now, interaction: tracks[slot].snapshot(rules: rules))
    }

    /// Whether there is room for somebody who isn't followed; counts why not.
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
