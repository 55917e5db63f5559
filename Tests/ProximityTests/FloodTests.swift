import BeaconModel
import Testing

@testable import Proximity

/// Bounds under attack: somebody invents identities that are followed, as many as the air carries and more.
@Suite("InteractionTracker in a flood of newcomers")
struct FloodTests {
    private var tracker = InteractionTracker(rules: InteractionRules())
    private var flood = Flood()

    /// Advertisements of one beacon, ten a second, each up to 10 ms late
    /// (advDelay, Bluetooth Core Specification 5.4, Vol 6, Part B, 4.4.2.2.1).
    private func beacon(_ minor: UInt16, from start: Double, to end: Double) -> [Sighting] {
        (0..<Int((end - start) * 10)).map { index in
            let delay = Double(index * index % 11) / 1000
            return Sightings.ofBeacon(minor, at: start + Double(index) / 10 + delay, rssi: -60 - Int8(minor))
        }
    }

    /// What became known of the beacons of this test, without the numbers, which count strangers too.
    private func records(_ events: [InteractionEvent]) -> [InteractionEvent] {
        events.compactMap { event in
            guard case .beacon(let beacon) = event.interaction.subject, beacon.major == 1 else { return nil }
            var event = event
            event.interaction.number = 0
            event.interaction.continues = event.interaction.continues.map { _ in 0 }
            return event
        }
    }

    @Test("The records of beacons that are here, and of known ones that come back, are the same without and with it")
    mutating func recordsOfKnownBeacons() {
        // One stays, one leaves and comes back before, one during and one after it.
        let genuine =
            beacon(1, from: 0, to: 200) + beacon(2, from: 0, to: 80) + beacon(2, from: 111, to: 200)
            + beacon(3, from: 5, to: 70) + beacon(3, from: 121.5, to: 140) + beacon(4, from: 0, to: 119)
            + beacon(4, from: 160, to: 170)
        let flood = flood.sightings(from: 120.5, to: 122, perSecond: 30_000)
        var calm = InteractionTracker(rules: InteractionRules())
        let expected = records(calm.observe(all: genuine) + calm.endAll(at: Sightings.time(210), reason: .shutdown))
        let found = tracker.observe(all: genuine + flood) + tracker.endAll(at: Sightings.time(210), reason: .shutdown)
        #expect(records(found) == expected)
        #expect(expected.filter { $0.kind == .started }.count == 7)
        #expect(tracker.refusals.unconfirmed > 44_000)
    }

    @Test("Strangers who are heard once begin no interaction, but for the first few")
    mutating func heardOnce() {
        _ = tracker.observe(all: flood.sightings(from: 0, to: 1, perSecond: 30_000))
        let rules = InteractionRules()
        #expect(tracker.count == rules.newcomerBurst)
        #expect(tracker.refusals.unconfirmed == UInt64(30_000 - rules.newcomerBurst))
        #expect(tracker.refusals.total == tracker.refusals.unconfirmed)
    }

    @Test("Strangers who are heard twice begin only so many interactions a second")
    mutating func heardTwice() {
        flood.repetitions = 2
        _ = tracker.observe(all: flood.sightings(from: 0, to: 2, perSecond: 5000))
        let rules = InteractionRules()
        #expect(tracker.count <= rules.newcomerBurst + 3 * rules.startsPerSecond + 1)
        #expect(tracker.count > rules.newcomerBurst + rules.startsPerSecond)
        #expect(tracker.refusals.newInteractionRate > 8000)
        #expect(tracker.refusals.tableFull == 0)
    }

    @Test("A real newcomer's interaction begins at the second advertisement")
    mutating func newcomer() throws {
        let events = tracker.observe(
            all: flood.sightings(from: 0, to: 1, perSecond: 30_000) + beacon(1, from: 0.55, to: 1))
        let started = try #require(records(events).first)
        #expect(started.kind == .started)
        #expect(started.time < Sightings.time(0.7))
    }

    @Test("A real newcomer gets in among strangers who are heard twice, too")
    mutating func newcomerAmongRepeaters() throws {
        flood.repetitions = 2
        let events = tracker.observe(
            all: flood.sightings(from: 0, to: 12, perSecond: 1300) + beacon(1, from: 1, to: 12))
        #expect(records(events).first?.kind == .started)
    }

    @Test("A flood of phones doesn't concern beacons, nor one of beacons phones")
    mutating func separateKinds() {
        flood.isOfPhones = true
        _ = tracker.observe(all: flood.sightings(from: 0, to: 1, perSecond: 2000))
        #expect(tracker.observe(Sightings.ofBeacon(at: 1)).map(\.kind) == [.started])
        tracker = InteractionTracker(rules: InteractionRules())
        flood.isOfPhones = false
        _ = tracker.observe(all: flood.sightings(from: 0, to: 1, perSecond: 2000))
        #expect(tracker.observe(Sightings.ofPhone(at: 1)).map(\.kind) == [.started])
    }

    @Test("Half a minute after it, an interaction begins at the first advertisement again")
    mutating func afterwards() {
        _ = tracker.observe(all: flood.sightings(from: 0, to: 1, perSecond: 2000))
        #expect(tracker.observe(Sightings.ofBeacon(1, at: 2)).isEmpty)
        #expect(tracker.observe(Sightings.ofBeacon(2, at: 33)).last?.kind == .started)
    }

    @Test("A packet that two adapters heard confirms nothing")
    mutating func twoAdapters() {
        _ = tracker.observe(all: flood.sightings(from: 0, to: 1, perSecond: 2000))
        #expect(tracker.observe(Sightings.ofBeacon(at: 1)).isEmpty)
        #expect(tracker.observe(Sightings.ofBeacon(at: 1.002)).isEmpty)
        #expect(tracker.observe(Sightings.ofBeacon(at: 1.02)).map(\.kind) == [.started])
    }

    @Test("An advertisement of long ago confirms nothing")
    mutating func longAgo() {
        _ = tracker.observe(all: flood.sightings(from: 0, to: 1, perSecond: 2000))
        #expect(tracker.observe(Sightings.ofBeacon(at: 1)).isEmpty)
        #expect(tracker.observe(Sightings.ofBeacon(at: 12)).isEmpty)
        #expect(tracker.observe(Sightings.ofBeacon(at: 13)).map(\.kind) == [.started])
    }

    @Test("A beacon that was here for less than a minute has to be heard twice")
    mutating func notKnown() {
        let flood = flood.sightings(from: 95, to: 96, perSecond: 2000)
        let events = tracker.observe(all: beacon(1, from: 0, to: 58) + flood + [Sightings.ofBeacon(at: 96)])
        #expect(records(events).last?.kind == .ended)
    }

    @Test("A known beacon isn't forgotten when the radio failed")
    mutating func knownAfterLoss() {
        _ = tracker.observe(all: beacon(1, from: 0, to: 70))
        _ = tracker.endAll(at: Sightings.time(70), reason: .lost)
        _ = tracker.observe(all: flood.sightings(from: 71, to: 72, perSecond: 2000))
        #expect(tracker.observe(Sightings.ofBeacon(1, at: 72)).map(\.kind) == [.started])
    }

    @Test("The inventory's beacons begin at the first advertisement, and find room when nobody else does")
    mutating func inventory() {
        var rules = InteractionRules()
        rules.capacity = 2
        tracker = InteractionTracker(rules: rules)
        tracker.expect([Sightings.beacon(9)])
        _ = tracker.observe(all: flood.sightings(from: 0, to: 1, perSecond: 2000))
        #expect(tracker.count == 2)
        #expect(tracker.observe(Sightings.ofBeacon(9, at: 1)).map(\.kind) == [.started])
        #expect(tracker.count == 3)
    }

    @Test("There is room for a quarter more known beacons than for strangers")
    mutating func room() {
        var rules = InteractionRules()
        rules.capacity = 4
        tracker = InteractionTracker(rules: rules)
        _ = tracker.observe(all: beacon(1, from: 0, to: 70) + beacon(2, from: 0, to: 70))
        _ = tracker.advance(to: Sightings.time(110))
        for minor in 11...15 { _ = tracker.observe(Sightings.ofBeacon(UInt16(minor), at: 111)) }
        #expect(tracker.count == 4)
        for minor in 1...2 { _ = tracker.observe(Sightings.ofBeacon(UInt16(minor), at: 112)) }
        #expect(tracker.observe(Sightings.ofBeacon(1, at: 112.1)).map(\.kind) == [.started])
        #expect(tracker.observe(Sightings.ofBeacon(2, at: 112.1)).isEmpty)
        #expect(tracker.refusals.tableFull == 2)
    }

    @Test("However many are heard however often, no more are followed than there is room for")
    mutating func bounded() {
        var rules = InteractionRules()
        rules.capacity = 64
        rules.silence = .fixed(.seconds(3600))
        rules.updateInterval = .seconds(3600)
        tracker = InteractionTracker(rules: rules)
        flood.repetitions = 3
        _ = tracker.observe(all: flood.sightings(from: 0, to: 100, perSecond: 200))
        #expect(tracker.count == 64)
        #expect(tracker.refusals.tableFull > 0)
        #expect(tracker.refusals.total >= 59_000)
    }

    @Test("A clock that is set back ends the flood")
    mutating func clockSetBack() {
        _ = tracker.observe(all: flood.sightings(from: 100, to: 101, perSecond: 2000))
        _ = tracker.advance(to: Sightings.time(50))
        #expect(tracker.observe(Sightings.ofBeacon(at: 50)).map(\.kind) == [.started])
    }

    @Test("Equal seeds give equal events")
    mutating func deterministic() {
        flood.repetitions = 2
        let sightings = flood.sightings(from: 0, to: 1, perSecond: 5000)
        var other = InteractionTracker(rules: InteractionRules())
        #expect(tracker.observe(all: sightings) == other.observe(all: sightings))
        #expect(tracker.refusals == other.refusals)
    }
}
