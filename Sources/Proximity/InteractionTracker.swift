public import BeaconModel

/// Turns sightings into interactions: who is here, since when, how near, and when they left.
///
/// Pure: time arrives with the sightings and through `advance`, and equal inputs give equal events.
public struct InteractionTracker: Sendable {
    private let rules: InteractionRules
    private var tracks: [Subject: Track] = [:]
    private var beaconCount = 0
    private var lastNumber: UInt64 = 0
    /// No track ends before this.
    private var nextDeadline: Timestamp?
    private var now: Timestamp = .epoch

    /// Sightings of subjects that came when the table was full.
    public private(set) var refusedSightings: UInt64 = 0

    public init(rules: InteractionRules) { self.rules = rules }

    /// Subjects followed at present.
    public var count: Int { tracks.count }

    /// Takes one sighting in; gives what became known by it, oldest first.
    ///
    /// A sighting that is a little older than the time already reached counts as of the time reached.
    public mutating func observe(_ sighting: Sighting) -> [InteractionEvent] {
        var events = advance(to: sighting.time)
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
            tracks.values[index].add(sighting, at: now, rules: rules)
            events.append(InteractionEvent(kind: .started, time: now, interaction: tracks.values[index].snapshot()))
            return events
        }
        tracks.values[index].add(sighting, at: now, rules: rules)
        if now - tracks.values[index].reportedAt >= rules.updateInterval {
            tracks.values[index].reportedAt = now
            events.append(InteractionEvent(kind: .updated, time: now, interaction: tracks.values[index].snapshot()))
        }
        return events
    }

    /// Says that it is `time`; gives the interactions that ended by silence until then, in the order of their ends.
    ///
    /// When the clock was set back, everything ends as `lost` at the time of the old clock, and begins anew.
    public mutating func advance(to time: Timestamp) -> [InteractionEvent] {
        if now - time > rules.largestDisorder {
            let lost = endAll(at: now, reason: .lost)
            now = time
            return lost
        }
        now = max(now, time)
        guard let nextDeadline, nextDeadline <= now else { return [] }
        let due = tracks.values.filter { $0.lastSeenAt + rules.silence <= now }
            .sorted { ($0.lastSeenAt, $0.number) < ($1.lastSeenAt, $1.number) }
        for track in due { forget(track.subject) }
        self.nextDeadline = tracks.values.map { $0.lastSeenAt + rules.silence }.min()
        return due.map { track in
            InteractionEvent(
                kind: .ended, time: track.lastSeenAt + rules.silence,
                interaction: track.snapshot(ending: .init(at: track.lastSeenAt, reason: .departed)))
        }
    }

    /// Ends every interaction at `time`, in the order in which they started.
    public mutating func endAll(at time: Timestamp, reason: Interaction.EndReason) -> [InteractionEvent] {
        let departed = advance(to: max(now, time))
        let ended = tracks.values.sorted { $0.number < $1.number }.map { track in
            InteractionEvent(
                kind: .ended, time: now,
                interaction: track.snapshot(ending: .init(at: track.lastSeenAt, reason: reason)))
        }
        tracks.removeAll(keepingCapacity: true)
        beaconCount = 0
        nextDeadline = nil
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
        let deadline = now + rules.silence
        nextDeadline = min(nextDeadline ?? deadline, deadline)
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
