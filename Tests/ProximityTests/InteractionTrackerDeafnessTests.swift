import BeaconModel
import Testing

@testable import Proximity

@Suite("InteractionTracker and deafness")
struct InteractionTrackerDeafnessTests {
    private var tracker = InteractionTracker(rules: InteractionRules())
    private let first = Adapter(index: 0)
    private let second = Adapter(index: 1)

    private func sighting(_ minor: UInt16, at seconds: Double, by adapter: Adapter) -> Sighting {
        var sighting = Sightings.ofBeacon(minor, at: seconds)
        sighting.adapter = adapter
        return sighting
    }

    @Test("Nobody departs while the adapter that heard them last is deaf, though another hears")
    mutating func heldWhileDeaf() {
        _ = tracker.observe(sighting(1, at: 0, by: first))
        _ = tracker.observe(sighting(2, at: 0, by: second))
        tracker.becameDeaf(first, at: Sightings.time(1))
        #expect(tracker.heard(by: second, until: Sightings.time(29)).isEmpty)
        let events = tracker.heard(by: second, until: Sightings.time(60))
        #expect(events.map(\.interaction.number) == [2])
        #expect(tracker.count == 1)
    }

    @Test("After a short deafness an interaction goes on")
    mutating func shortDeafness() {
        _ = tracker.observe(sighting(1, at: 0, by: first))
        tracker.becameDeaf(first, at: Sightings.time(1))
        #expect(tracker.deaf(first, for: .seconds(25), at: Sightings.time(26)).isEmpty)
        tracker.hearsAgain(first, at: Sightings.time(26))
        #expect(tracker.observe(sighting(1, at: 26, by: first)).map(\.kind) == [])
        #expect(tracker.present.map(\.samples) == [2])
    }

    @Test(
        "The time of a deafness is no silence: whoever isn't heard after it departs when the adapter has heard enough")
    mutating func clockStops() {
        _ = tracker.observe(sighting(1, at: 0, by: first))
        _ = tracker.heard(by: first, until: Sightings.time(3))
        tracker.becameDeaf(first, at: Sightings.time(3))
        tracker.hearsAgain(first, at: Sightings.time(29))
        #expect(tracker.heard(by: first, until: Sightings.time(55)).isEmpty)
        let events = tracker.heard(by: first, until: Sightings.time(56))
        #expect(events.map(\.time) == [Sightings.time(56)])
        #expect(events.map(\.interaction.ending) == [.init(at: Sightings.time(0), reason: .departed)])
    }

    @Test("After a deafness as long as a departure whoever was there is lost, at the time when last seen")
    mutating func lost() throws {
        _ = tracker.observe(sighting(1, at: 0, by: first))
        tracker.becameDeaf(first, at: Sightings.time(20))
        #expect(tracker.deaf(first, for: .seconds(29), at: Sightings.time(49)).isEmpty)
        let event = try #require(tracker.deaf(first, for: .seconds(30), at: Sightings.time(50)).first)
        #expect(event.interaction.ending == Interaction.Ending(at: Sightings.time(0), reason: .lost))
        #expect(tracker.count == 0)
    }

    @Test("Whoever another adapter heard later is not lost with the deaf one")
    mutating func heardByAnother() {
        _ = tracker.observe(sighting(1, at: 0, by: first))
        _ = tracker.observe(sighting(1, at: 1, by: second))
        #expect(tracker.deaf(first, for: .seconds(40), at: Sightings.time(40)).isEmpty)
        #expect(tracker.count == 1)
    }

    @Test("A clock that is set back while the adapter is deaf ends everything as lost")
    mutating func setBackWhileDeaf() {
        _ = tracker.observe(sighting(1, at: 3600, by: first))
        tracker.becameDeaf(first, at: Sightings.time(3600))
        let events = tracker.deaf(first, for: .seconds(5), at: Sightings.time(0))
        #expect(events.map(\.interaction.ending?.reason) == [.lost])
    }

    @Test("A clock that is set forward while the adapter is deaf ends nothing")
    mutating func setForwardWhileDeaf() {
        _ = tracker.observe(sighting(1, at: 0, by: first))
        tracker.becameDeaf(first, at: Sightings.time(0))
        #expect(tracker.deaf(first, for: .seconds(1), at: Sightings.time(3601)).isEmpty)
    }

    @Test("Whoever an adapter heard under its old number departs by its clock under the new one")
    mutating func renumbered() {
        _ = tracker.observe(sighting(1, at: 0, by: first))
        tracker.renumber(first, to: second)
        #expect(tracker.heard(by: second, until: Sightings.time(29)).isEmpty)
        #expect(tracker.heard(by: second, until: Sightings.time(30)).map(\.interaction.number) == [1])
        #expect(tracker.count == 0)
    }

    @Test("What several adapters hear of one subject is one interaction")
    mutating func merged() {
        _ = tracker.observe(sighting(1, at: 0, by: first))
        #expect(tracker.observe(sighting(1, at: 0.1, by: second)).isEmpty)
        #expect(tracker.present.map(\.samples) == [2])
    }

    @Test("A silence that is the air's ends interactions as departed")
    mutating func silence() {
        _ = tracker.observe(sighting(1, at: 0, by: first))
        let events = tracker.heard(by: first, until: Sightings.time(30))
        #expect(events.map(\.interaction.ending?.reason) == [.departed])
    }
}
