import BeaconModel
import Testing

@testable import Proximity

extension InteractionTrackerTests {
    @Test("Whoever comes when the table is full is counted and not followed")
    mutating func full() {
        var rules = InteractionRules()
        rules.capacity = 2
        tracker = InteractionTracker(rules: rules)
        _ = tracker.observe(Sightings.ofBeacon(1, at: 0))
        _ = tracker.observe(Sightings.ofBeacon(2, at: 0))
        #expect(tracker.observe(Sightings.ofBeacon(3, at: 1)).isEmpty)
        #expect(tracker.observe(Sightings.ofBeacon(3, at: 2)).isEmpty)
        #expect(tracker.refusals.total == 2)
        #expect(tracker.count == 2)
    }

    @Test("Whoever is here already is followed when the table is full")
    mutating func fullForOthers() throws {
        var rules = InteractionRules()
        rules.capacity = 1
        tracker = InteractionTracker(rules: rules)
        _ = tracker.observe(Sightings.ofBeacon(1, at: 0))
        _ = tracker.observe(Sightings.ofBeacon(2, at: 1))
        _ = tracker.observe(Sightings.ofBeacon(1, at: 2))
        #expect(try #require(tracker.present.first).samples == 2)
        #expect(tracker.refusals.total == 1)
    }

    @Test("Whoever departs makes room, and so does an end of everything")
    mutating func roomAgain() {
        var rules = InteractionRules()
        rules.capacity = 1
        tracker = InteractionTracker(rules: rules)
        _ = tracker.observe(Sightings.ofBeacon(1, at: 0))
        #expect(tracker.observe(Sightings.ofBeacon(2, at: 31)).map(\.kind) == [.ended, .started])
        _ = tracker.endAll(at: Sightings.time(32), reason: .lost)
        #expect(tracker.observe(Sightings.ofBeacon(3, at: 33)).map(\.kind) == [.started])
        #expect(tracker.refusals.total == 0)
    }

    @Test("Phones can't take the beacons' room, nor beacons the phones'")
    mutating func separateRoom() {
        var rules = InteractionRules()
        rules.capacity = 2
        tracker = InteractionTracker(rules: rules)
        for number in 1...10 { _ = tracker.observe(Sightings.ofPhone(UInt128(number), at: 0)) }
        #expect(tracker.count == 2)
        #expect(tracker.refusals.total == 8)
        for minor in 1...10 { _ = tracker.observe(Sightings.ofBeacon(UInt16(minor), at: 0)) }
        #expect(tracker.count == 4)
        #expect(tracker.refusals.total == 16)
        #expect(tracker.advance(to: Sightings.time(100)).count == 4)
        for minor in 11...12 { _ = tracker.observe(Sightings.ofBeacon(UInt16(minor), at: 100)) }
        for number in 11...12 { _ = tracker.observe(Sightings.ofPhone(UInt128(number), at: 100)) }
        #expect(tracker.count == 4)
        #expect(tracker.refusals.total == 16)
    }

    @Test("A sighting a little older than the time reached counts as of the time reached")
    mutating func olderSighting() throws {
        _ = tracker.advance(to: Sightings.time(100))
        let event = try #require(tracker.observe(Sightings.ofBeacon(at: 95)).first)
        #expect(event.time == Sightings.time(100))
        #expect(event.interaction.startedAt == Sightings.time(100))
    }

    @Test("Time that goes back a little ends nothing and takes nothing back")
    mutating func backwards() throws {
        _ = observe(from: 0, to: 20)
        #expect(tracker.advance(to: Sightings.time(13)).isEmpty)
        #expect(tracker.observe(Sightings.ofBeacon(at: 11)).isEmpty)
        let interaction = try #require(tracker.present.first)
        #expect(interaction.lastSeenAt == Sightings.time(20))
        #expect(interaction.samples == 22)
        #expect(tracker.advance(to: Sightings.time(50)).map(\.time) == [Sightings.time(50)])
    }

    @Test("When the clock is set back, everybody is lost by the old clock and comes anew by the new one")
    mutating func clockSetBack() throws {
        _ = observe(from: 5000, to: 5010)
        let events = tracker.observe(Sightings.ofBeacon(at: 100))
        #expect(events.map(\.kind) == [.ended, .started])
        #expect(events.first?.interaction.ending == .init(at: Sightings.time(5010), reason: .lost))
        #expect(events.last?.interaction.startedAt == Sightings.time(100))
        #expect(tracker.advance(to: Sightings.time(131)).map(\.interaction.ending?.reason) == [.departed])
    }

    @Test("The ends of time do no harm")
    mutating func endsOfTime() {
        var sighting = Sightings.ofBeacon(at: 0)
        sighting.time = .epoch
        #expect(tracker.observe(sighting).map(\.kind) == [.started])
        sighting.time = .latest
        #expect(tracker.observe(sighting).map(\.kind) == [.ended, .started])
        #expect(tracker.endAll(at: .latest, reason: .shutdown).map(\.kind) == [.ended])
        #expect(tracker.count == 0)
    }
}
