import BeaconModel
import Testing

@testable import Proximity

@Suite("InteractionTracker")
struct InteractionTrackerTests {
    var tracker = InteractionTracker(rules: InteractionRules())

    /// One sighting a second, from one second to another, both included.
    mutating func observe(
        from first: Int, to last: Int, by step: Int = 1,
        _ sighting: (Double) -> Sighting = { Sightings.ofBeacon(at: $0) }
    ) -> [InteractionEvent] {
        var events: [InteractionEvent] = []
        for second in stride(from: first, through: last, by: step) {
            events += tracker.observe(sighting(Double(second)))
        }
        return events
    }

    @Test("The first sighting starts an interaction")
    mutating func started() throws {
        let events = tracker.observe(Sightings.ofBeacon(at: 5, rssi: -64))
        #expect(events.map(\.kind) == [.started])
        let event = try #require(events.first)
        #expect(event.time == Sightings.time(5))
        let interaction = event.interaction
        #expect(interaction.number == 1)
        #expect(interaction.continues == nil)
        #expect(interaction.subject == .beacon(Sightings.beacon(1)))
        #expect(interaction.startedAt == Sightings.time(5))
        #expect(interaction.lastSeenAt == Sightings.time(5))
        #expect(interaction.ending == nil)
        #expect(interaction.samples == 1)
        #expect(interaction.rssi == .init(median: -64, minimum: -64, maximum: -64))
        #expect(interaction.expectedMinutesWithin == Within(threeMetres: 0, sixMetres: 0))
    }

    @Test("Each subject has an interaction of its own, numbered from 1")
    mutating func subjects() {
        var events = tracker.observe(Sightings.ofBeacon(1, at: 0))
        events += tracker.observe(Sightings.ofBeacon(2, at: 1))
        events += tracker.observe(Sightings.ofPhone(1, at: 2))
        events += tracker.observe(Sightings.ofBeacon(1, at: 3))
        #expect(events.map(\.kind) == [.started, .started, .started])
        #expect(events.map(\.interaction.number) == [1, 2, 3])
        #expect(tracker.count == 3)
        #expect(tracker.present.map(\.subject) == events.map(\.interaction.subject))
    }

    @Test("A lasting interaction is reported once per interval, not before")
    mutating func updated() {
        let events = observe(from: 0, to: 95)
        #expect(events.map(\.kind) == [.started, .updated, .updated, .updated])
        #expect(events.map(\.time) == [0, 30, 60, 90].map(Sightings.time))
        #expect(events.map(\.interaction.samples) == [1, 31, 61, 91])
        #expect(events.allSatisfy { $0.interaction.number == 1 && $0.interaction.ending == nil })
    }

    @Test("An update comes with a sighting, not with the passing of time")
    mutating func updateNeedsSighting() {
        var events = observe(from: 0, to: 29)
        events += tracker.advance(to: Sightings.time(50))
        #expect(events.map(\.kind) == [.started])
        #expect(tracker.observe(Sightings.ofBeacon(at: 51)).map(\.kind) == [.updated])
    }

    @Test("Silence ends an interaction as of when the subject was last seen")
    mutating func departed() throws {
        _ = observe(from: 0, to: 10)
        #expect(tracker.advance(to: Sightings.time(39.999_999)).isEmpty)
        let events = tracker.advance(to: Sightings.time(100))
        #expect(events.map(\.kind) == [.ended])
        let event = try #require(events.first)
        #expect(event.time == Sightings.time(40))
        #expect(event.interaction.ending == .init(at: Sightings.time(10), reason: .departed))
        #expect(event.interaction.lastSeenAt == Sightings.time(10))
        #expect(event.interaction.samples == 11)
        #expect(tracker.count == 0)
        #expect(tracker.present.isEmpty)
    }

    @Test("Silence has lasted long enough at just its length")
    mutating func departedInTime() {
        _ = observe(from: 0, to: 10)
        #expect(tracker.advance(to: Sightings.time(40)).map(\.kind) == [.ended])
    }

    @Test("Somebody else's sighting says what time it is")
    mutating func departedByOthersSighting() {
        _ = tracker.observe(Sightings.ofBeacon(1, at: 0))
        let events = tracker.observe(Sightings.ofBeacon(2, at: 31))
        #expect(events.map(\.kind) == [.ended, .started])
        #expect(events.map(\.interaction.number) == [1, 2])
    }

    @Test("Whoever comes back after the silence starts a new interaction, which continues nothing")
    mutating func comesBack() throws {
        _ = observe(from: 0, to: 10)
        #expect(tracker.observe(Sightings.ofBeacon(at: 40)).map(\.kind) == [.ended])
        let events = tracker.observe(Sightings.ofBeacon(at: 41))
        #expect(events.map(\.kind) == [.started])
        #expect(events.map(\.time) == [Sightings.time(41)])
        let new = try #require(events.last).interaction
        #expect(new.number == 2)
        #expect(new.continues == nil)
        #expect(new.samples == 2)
        #expect(new.startedAt == Sightings.time(40))
    }

    @Test("Those who depart are told in the order of their ends, then of their starts")
    mutating func orderOfEnds() {
        _ = tracker.observe(Sightings.ofBeacon(1, at: 0))
        _ = tracker.observe(Sightings.ofBeacon(2, at: 1))
        _ = tracker.observe(Sightings.ofBeacon(3, at: 2))
        _ = tracker.observe(Sightings.ofBeacon(4, at: 2))
        _ = tracker.observe(Sightings.ofBeacon(1, at: 5))
        let events = tracker.advance(to: Sightings.time(500))
        #expect(events.map(\.interaction.number) == [2, 3, 4, 1])
        #expect(events.map(\.time) == [31, 32, 32, 35].map(Sightings.time))
    }

    @Test(
        "Whoever ends everything says when and why, in the order of the starts",
        arguments: [
            Interaction.EndReason.shutdown, .lost,
        ])
    mutating func endAll(reason: Interaction.EndReason) {
        _ = tracker.observe(Sightings.ofBeacon(2, at: 0))
        _ = tracker.observe(Sightings.ofPhone(1, at: 1))
        _ = tracker.observe(Sightings.ofBeacon(2, at: 8))
        let events = tracker.endAll(at: Sightings.time(10), reason: reason)
        #expect(events.map(\.kind) == [.ended, .ended])
        #expect(events.map(\.time) == [Sightings.time(10), Sightings.time(10)])
        #expect(events.map(\.interaction.number) == [1, 2])
        let endings = [8, 1].map { Interaction.Ending(at: Sightings.time($0), reason: reason) }
        #expect(events.compactMap(\.interaction.ending) == endings)
        #expect(tracker.count == 0)
        #expect(tracker.endAll(at: Sightings.time(11), reason: reason).isEmpty)
    }

    @Test("Whoever had departed before everything is ended has departed")
    mutating func endAllAfterSilence() {
        _ = tracker.observe(Sightings.ofBeacon(1, at: 0))
        _ = tracker.observe(Sightings.ofBeacon(2, at: 25))
        let events =
            tracker.advance(to: Sightings.time(40)) + tracker.endAll(at: Sightings.time(40), reason: .lost)
        #expect(events.map(\.interaction.ending?.reason) == [.departed, .lost])
        #expect(events.map(\.time) == [30, 40].map(Sightings.time))
    }

    @Test("After everything is ended whoever is heard starts anew")
    mutating func afterEndAll() {
        _ = tracker.observe(Sightings.ofBeacon(at: 0))
        _ = tracker.endAll(at: Sightings.time(1), reason: .lost)
        let events = tracker.observe(Sightings.ofBeacon(at: 2))
        #expect(events.map(\.kind) == [.started])
        #expect(events.map(\.interaction.number) == [2])
    }
}
