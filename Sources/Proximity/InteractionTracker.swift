public import BeaconModel

/// Turns sightings into interactions: who is here, since when, how near, and when they left.
///
/// Pure: time arrives with the sightings and through `heard`, and equal inputs give equal events.
///
/// Each adapter has a clock of its own, which runs only while the adapter hears. A subject departs by the clock of the
/// adapter that heard it last, so that nobody is said to be gone by an adapter that is deaf.
public struct InteractionTracker: Sendable {
    private let rules: InteractionRules
    private var tracks = TrackTable()
    private var lastNumber: UInt64 = 0
    private var clocks: [AdapterClock] = Array(repeating: AdapterClock(), count: TrackTable.orders.count)
    private var now: Timestamp = .epoch
    private var newBeacons: Newcomers
    private var newPhones: Newcomers
    private var known: KnownBeacons

    /// Sightings of subjects that aren't followed.
    public private(set) var refusals = Refusals()

    /// What an adapter heard, in time.
    private struct AdapterClock {
        /// Until when it has heard.
        var time = Timestamp.epoch
        /// While it is deaf, since when.
        var deafSince: Timestamp?
        /// How long it was deaf until then, in all.
        var deafness: Duration = .zero
    }

    public init(rules: InteractionRules) {
        self.rules = rules
        newBeacons = Newcomers(rules)
        newPhones = Newcomers(rules)
        known = KnownBeacons(knownAfter: rules.knownAfter)
    }

    /// Names beacons that are welcome whatever else is on the air: those of the inventory.
    public mutating func expect(_ beacons: Set<BeaconID>) { known.expected = beacons }

    /// Subjects followed at present.
    public var count: Int { tracks.count }

    /// Takes one sighting in; gives what became known by it, oldest first. Whoever can't be followed is passed over.
    ///
    /// A sighting that is a little older than the time already reached counts as of the time reached.
    public mutating func observe(_ sighting: Sighting) -> [InteractionEvent] {
        var events = heard(by: sighting.adapter, until: sighting.time)
        guard let subject = sighting.subject else { return events }
        guard let slot = tracks.slot(of: subject) else {
            if let event = begin(subject, with: sighting) { events.append(event) }
            return events
        }
        if now - tracks[slot].startedAt >= rules.longest {
            tracks[slot].addMinutes(until: now, rules: rules)
            let closed = tracks[slot].snapshot(ending: .init(at: now, reason: .continued))
            events.append(InteractionEvent(kind: .ended, time: now, interaction: closed))
            lastNumber += 1
            tracks[slot].continueAs(number: lastNumber, at: now)
            hear(sighting, in: slot)
            events.append(InteractionEvent(kind: .started, time: now, interaction: tracks[slot].snapshot()))
            return events
        }
        hear(sighting, in: slot)
        if now - tracks[slot].reportedAt >= rules.updateInterval {
            tracks[slot].reportedAt = now
            events.append(InteractionEvent(kind: .updated, time: now, interaction: tracks[slot].snapshot()))
        }
        return events
    }

    /// Says that the adapter heard whatever there was until `time`; gives the interactions that ended by silence until
    /// then, in the order of their ends.
    ///
    /// When the clock was set back, everything ends as `lost` at the time of the old clock, and begins anew.
    public mutating func heard(by adapter: Adapter, until time: Timestamp) -> [InteractionEvent] {
        if let lost = clockWasSetBack(to: time) { return lost }
        now = max(now, time)
        let order = TrackTable.order(of: adapter)
        clocks[order].time = max(clocks[order].time, time)
        return departures(order)
    }

    /// Says that every adapter heard whatever there was until `time`.
    public mutating func advance(to time: Timestamp) -> [InteractionEvent] {
        if let lost = clockWasSetBack(to: time) { return lost }
        now = max(now, time)
        return TrackTable.orders.flatMap { order in
            clocks[order].time = max(clocks[order].time, time)
            return departures(order)
        }
    }

    /// Says that the adapter has become deaf; its clock stops.
    public mutating func becameDeaf(_ adapter: Adapter, at time: Timestamp) {
        let order = TrackTable.order(of: adapter)
        if clocks[order].deafSince == nil { clocks[order].deafSince = max(clocks[order].time, time) }
    }

    /// Says that the adapter hears again; its clock goes on from where it stopped.
    public mutating func hearsAgain(_ adapter: Adapter, at time: Timestamp) {
        let order = TrackTable.order(of: adapter)
        guard let since = clocks[order].deafSince else { return }
        clocks[order].deafSince = nil
        clocks[order].deafness += max(.zero, time - since)
    }

    /// Says that the adapter has been deaf for so long: whoever it heard last is lost once that is as long as a silence
    /// that would have been a departure.
    ///
    /// - Parameters:
    ///   - deafness: by a clock that nobody sets.
    ///   - time: now.
    public mutating func deaf(_ adapter: Adapter, for deafness: Duration, at time: Timestamp) -> [InteractionEvent] {
        if let lost = clockWasSetBack(to: time) { return lost }
        guard deafness >= rules.silence else { return [] }
        now = max(now, time)
        let order = TrackTable.order(of: adapter)
        return end(order, reason: .lost) { _, _ in true }
    }

    /// Says that an adapter has another number than before.
    public mutating func renumber(_ before: Adapter, to after: Adapter) {
        let (from, to) = (TrackTable.order(of: before), TrackTable.order(of: after))
        guard from != to else { return }
        tracks.move(from: from, to: after)
        clocks[to] = clocks[from]
        clocks[from] = AdapterClock()
    }

    private mutating func clockWasSetBack(to time: Timestamp) -> [InteractionEvent]? {
        guard now - time > rules.largestDisorder else { return nil }
        let lost = endAll(at: now, reason: .lost)
        now = time
        for order in TrackTable.orders {
            clocks[order].time = time
            if clocks[order].deafSince != nil { clocks[order].deafSince = time }
        }
        newBeacons.forgetRates(rules)
        newPhones.forgetRates(rules)
        return lost
    }

    /// Ends those whom an adapter heard last and who have been silent for too long while it heard.
    private mutating func departures(_ order: Int) -> [InteractionEvent] {
        let clock = clocks[order]
        // While it is deaf nothing that is known runs out.
        guard clock.deafSince == nil else { return [] }
        return end(order, reason: .departed) { [silence = rules.silence] lastSeenAt, deafness in
            clock.time - lastSeenAt - (clock.deafness - deafness) >= silence
        }
    }

    /// Ends those at the beginning of an order who are due, by when they were last seen and how long their adapter had
    /// been deaf until then.
    private mutating func end(
        _ order: Int, reason: Interaction.EndReason, _ isDue: (Timestamp, Duration) -> Bool
    ) -> [InteractionEvent] {
        func firstIsDue() -> Bool {
            guard let slot = tracks.firstSlot(order) else { return false }
            return isDue(tracks[slot].lastSeenAt, tracks[slot].deafness)
        }
        guard firstIsDue() else { return [] }
        var due: [Track] = []
        while firstIsDue(), let track = tracks.removeFirst(order) {
            due.append(track)
            known.left(track, seed: rules.seed)
        }
        due.sort { ($0.lastSeenAt, $0.number) < ($1.lastSeenAt, $1.number) }
        let deafness = clocks[order].deafness
        return due.map { track in
            let wait = rules.silence + (deafness - track.deafness)
            return InteractionEvent(
                kind: .ended, time: reason == .departed ? track.lastSeenAt + wait : now,
                interaction: track.snapshot(ending: .init(at: track.lastSeenAt, reason: reason)))
        }
    }

    /// Ends every interaction at `time`, in the order in which they started.
    public mutating func endAll(at time: Timestamp, reason: Interaction.EndReason) -> [InteractionEvent] {
        now = max(now, time)
        let departed = TrackTable.orders.flatMap { departures($0) }
        let ended = tracks.all.sorted { $0.number < $1.number }.map { track in
            known.left(track, seed: rules.seed)
            return InteractionEvent(
                kind: .ended, time: now,
                interaction: track.snapshot(ending: .init(at: track.lastSeenAt, reason: reason)))
        }
        tracks.removeAll()
        return departed + ended
    }

    /// Everybody who is here now, for a table that people look at.
    public var present: [Interaction] {
        tracks.all.sorted { $0.number < $1.number }.map { $0.snapshot() }
    }

    private mutating func hear(_ sighting: Sighting, in slot: Int) {
        tracks[slot].add(sighting, at: now, rules: rules)
        tracks[slot].deafness = clocks[TrackTable.order(of: sighting.adapter)].deafness
        tracks.moveLast(slot)
    }

    private mutating func begin(_ subject: Subject, with sighting: Sighting) -> InteractionEvent? {
        guard admit(subject) else { return nil }
        lastNumber += 1
        var track = Track(number: lastNumber, subject: subject, sighting: sighting, at: now)
        track.deafness = clocks[TrackTable.order(of: sighting.adapter)].deafness
        tracks.insert(track)
        return InteractionEvent(kind: .started, time: now, interaction: track.snapshot())
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
