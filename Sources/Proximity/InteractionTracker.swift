public import BeaconModel

/// Turns sightings into interactions: who is here, since when, how near, and when they left.
///
/// Pure: time arrives with the sightings and through `heard`, and equal inputs give equal events.
///
/// Each adapter has a clock of its own, which runs only while the adapter hears. A subject departs by the clock of the
/// adapter that heard it last, so that nobody is said to be gone by an adapter that is deaf.
public struct InteractionTracker: Sendable {
    private let rules: InteractionRules
    private var tracks: [Subject: Track] = [:]
    private var beaconCount = 0
    private var lastNumber: UInt64 = 0
    /// By the numbers of the adapters.
    private var clocks: [AdapterClock] = Array(repeating: AdapterClock(), count: mostAdapters)
    private var now: Timestamp = .epoch

    /// Sightings of subjects that came when the table was full.
    public private(set) var refusedSightings: UInt64 = 0

    /// Adapters with this number and above share a clock.
    private static let mostAdapters = 16

    private struct AdapterClock {
        /// Until when the adapter has heard.
        var time = Timestamp.epoch
        /// No track that it heard last ends before this.
        var nextDeadline: Timestamp?
    }

    public init(rules: InteractionRules) { self.rules = rules }

    /// Subjects followed at present.
    public var count: Int { tracks.count }

    /// Takes one sighting in; gives what became known by it, oldest first.
    ///
    /// A sighting that is a little older than the time already reached counts as of the time reached.
    public mutating func observe(_ sighting: Sighting) -> [InteractionEvent] {
        var events = heard(by: sighting.adapter, until: sighting.time)
        let subject = sighting.identity.subject
        guard let index = tracks.index(forKey: subject) else {
            if let event = begin(subject, with: sighting) { events.append(event) }
            return events
        }
        if now - tracks.values[index].startedAt >= rules.longest {
            tracks.values[index].addMinutes(until: now, rules: rules)
            let closed = tracks.values[index].snapshot(ending: .init(at: now, reason: .continued))
            events.append(InteractionEvent(kind: .ended, time: now, interaction: closed))
            lastNumber += 1
            tracks.values[index].continueAs(number: lastNumber, at: now)
            add(sighting, toTrackAt: index)
            events.append(InteractionEvent(kind: .started, time: now, interaction: tracks.values[index].snapshot()))
            return events
        }
        add(sighting, toTrackAt: index)
        if now - tracks.values[index].reportedAt >= rules.updateInterval {
            tracks.values[index].reportedAt = now
            events.append(InteractionEvent(kind: .updated, time: now, interaction: tracks.values[index].snapshot()))
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
        let index = Self.index(of: adapter)
        clocks[index].time = max(clocks[index].time, time)
        return end(ofAdapter: index, at: clocks[index].time, reason: .departed)
    }

    /// Says that every adapter heard whatever there was until `time`.
    public mutating func advance(to time: Timestamp) -> [InteractionEvent] {
        if let lost = clockWasSetBack(to: time) { return lost }
        now = max(now, time)
        return clocks.indices.flatMap { index in
            clocks[index].time = max(clocks[index].time, time)
            return end(ofAdapter: index, at: clocks[index].time, reason: .departed)
        }
    }

    private mutating func clockWasSetBack(to time: Timestamp) -> [InteractionEvent]? {
        guard now - time > rules.largestDisorder else { return nil }
        let lost = endAll(at: now, reason: .lost)
        now = time
        for index in clocks.indices { clocks[index].time = time }
        return lost
    }

    /// Says that the adapter has been deaf until `time`: whoever it heard last is lost once the deafness has lasted as
    /// long as a silence that would have been a departure.
    public mutating func deaf(_ adapter: Adapter, until time: Timestamp) -> [InteractionEvent] {
        guard time > now else { return [] }
        now = time
        return end(ofAdapter: Self.index(of: adapter), at: time, reason: .lost)
    }

    private mutating func end(
        ofAdapter index: Int, at time: Timestamp, reason: Interaction.EndReason
    ) -> [InteractionEvent] {
        guard let deadline = clocks[index].nextDeadline, deadline <= time else { return [] }
        let own = tracks.values.filter { Self.index(of: $0.adapter) == index }
        let due = own.filter { $0.lastSeenAt + rules.silence <= time }
            .sorted { ($0.lastSeenAt, $0.number) < ($1.lastSeenAt, $1.number) }
        for track in due { forget(track.subject) }
        clocks[index].nextDeadline = own.map { $0.lastSeenAt + rules.silence }.filter { $0 > time }.min()
        return due.map { track in
            InteractionEvent(
                kind: .ended, time: track.lastSeenAt + rules.silence,
                interaction: track.snapshot(ending: .init(at: track.lastSeenAt, reason: reason)))
        }
    }

    private static func index(of adapter: Adapter) -> Int { min(Int(adapter.index), mostAdapters - 1) }

    private mutating func add(_ sighting: Sighting, toTrackAt index: Dictionary<Subject, Track>.Index) {
        if tracks.values[index].adapter != sighting.adapter { expect(deadlineOf: sighting.adapter) }
        tracks.values[index].add(sighting, at: now, rules: rules)
    }

    private mutating func expect(deadlineOf adapter: Adapter) {
        let index = Self.index(of: adapter)
        let deadline = now + rules.silence
        clocks[index].nextDeadline = min(clocks[index].nextDeadline ?? deadline, deadline)
    }

    /// Ends every interaction at `time`, in the order in which they started.
    public mutating func endAll(at time: Timestamp, reason: Interaction.EndReason) -> [InteractionEvent] {
        now = max(now, time)
        let departed = clocks.indices.flatMap { end(ofAdapter: $0, at: clocks[$0].time, reason: .departed) }
        let ended = tracks.values.sorted { $0.number < $1.number }.map { track in
            InteractionEvent(
                kind: .ended, time: now,
                interaction: track.snapshot(ending: .init(at: track.lastSeenAt, reason: reason)))
        }
        tracks.removeAll(keepingCapacity: true)
        beaconCount = 0
        for index in clocks.indices { clocks[index].nextDeadline = nil }
        return departed + ended
    }

    /// Everybody who is here now, for a table that people look at.
    public var present: [Interaction] {
        tracks.values.sorted { $0.number < $1.number }.map { $0.snapshot() }
    }

    private mutating func begin(_ subject: Subject, with sighting: Sighting) -> InteractionEvent? {
        let isBeacon = subject.isBeacon
        guard (isBeacon ? beaconCount : tracks.count - beaconCount) < rules.capacity else {
            refusedSightings += 1
            return nil
        }
        lastNumber += 1
        let track = Track(number: lastNumber, sighting: sighting, at: now)
        tracks[subject] = track
        if isBeacon { beaconCount += 1 }
        expect(deadlineOf: sighting.adapter)
        return InteractionEvent(kind: .started, time: now, interaction: track.snapshot())
    }

    private mutating func forget(_ subject: Subject) {
        tracks.removeValue(forKey: subject)
        if subject.isBeacon { beaconCount -= 1 }
    }
}

extension Subject {
    var isBeacon: Bool {
        if case .beacon = self { true } else { false }
    }
}
