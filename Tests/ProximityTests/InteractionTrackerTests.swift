import BeaconModel
import Testing

@testable import Proximity

@Suite("InteractionTracker")
struct InteractionTrackerTests {
    private var tracker = InteractionTracker(rules: InteractionRules())

    /// One sighting a second, from one second to another, both included.
    private mutating func observe(
        from first: Int, to last: Int, by step: Int = 1,
        _ sighting: (Double) -> Sighting = { Sightings.ofBeacon(at: $0) }
    ) -> [InteractionEvent] {
        var events: [InteractionEvent] = []
        for second in stride(from: first, through: last, by: step) {
            events += tracker.observe(sighting(Double(second)))
        }
        return events
    }

    // MARK: - Start, update, end

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
        let events = tracker.observe(Sightings.ofBeacon(at: 40))
        #expect(events.map(\.kind) == [.ended, .started])
        let new = try #require(events.last).interaction
        #expect(new.number == 2)
        #expect(new.continues == nil)
        #expect(new.samples == 1)
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
        let events = tracker.endAll(at: Sightings.time(40), reason: .lost)
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

    // MARK: - Strength and distance

    @Test("Strength is summed up over the whole interaction")
    mutating func rssiSummary() throws {
        for (second, rssi) in [(0, -80), (1, -60), (2, -70), (3, -62), (4, -90)] as [(Double, Int8)] {
            _ = tracker.observe(Sightings.ofBeacon(at: second, rssi: rssi))
        }
        let interaction = try #require(tracker.advance(to: Sightings.time(100)).first).interaction
        #expect(interaction.rssi == .init(median: -70, minimum: -90, maximum: -60))
        #expect(interaction.samples == 5)
    }

    @Test("While it lasts the distance is that of the smoothed strength")
    mutating func distanceNow() throws {
        let events = observe(from: 0, to: 30) { Sightings.ofBeacon(at: $0, rssi: -70, measuredPower: -55) }
        var filter = try RSSIFilter(#require(RSSI(dBm: -70)), at: Sightings.time(0))
        for second in 1...30 { try filter.update(#require(RSSI(dBm: -70)), at: Sightings.time(Double(second))) }
        let expected = DistanceModel.beacon.estimate(rssi: -70, variance: filter.variance, measuredPower: -55)
        #expect(events.last?.kind == .updated)
        #expect(events.last?.interaction.distance == expected)
    }

    @Test("Once it is over the distance is that of the median strength")
    mutating func distanceOverall() throws {
        for (second, rssi) in [(0, -80), (1, -60), (2, -70)] as [(Double, Int8)] {
            _ = tracker.observe(Sightings.ofBeacon(at: second, rssi: rssi, measuredPower: -50))
        }
        let interaction = try #require(tracker.advance(to: Sightings.time(100)).first).interaction
        #expect(interaction.distance == DistanceModel.beacon.estimate(rssi: -70, variance: 0, measuredPower: -50))
        #expect(interaction.proximity == ProximityClass(interaction.distance))
    }

    @Test("A phone's distance is that of the phones' model")
    mutating func distanceOfPhone() throws {
        let interaction = try #require(tracker.observe(Sightings.ofPhone(at: 0, rssi: -70)).first).interaction
        #expect(interaction.distance == DistanceModel.phone.estimate(rssi: -70, variance: 25, measuredPower: nil))
    }

    @Test("Without a strength a subject is here, at no known distance", arguments: [Int8(127), -127, -111, 0, 20])
    mutating func presenceWithoutDistance(rssi: Int8) throws {
        let events = observe(from: 0, to: 60) { Sightings.ofBeacon(at: $0, rssi: rssi) }
        #expect(events.map(\.kind) == [.started, .updated, .updated])
        let interaction = try #require(events.last).interaction
        #expect(interaction.samples == 61)
        #expect(interaction.rssi == nil)
        #expect(interaction.distance == nil)
        #expect(interaction.proximity == .unknown)
        #expect(interaction.expectedMinutesWithin == Within(threeMetres: 0, sixMetres: 0))
    }

    @Test("A report without a strength keeps the subject here, and changes neither strength nor distance")
    mutating func missingRSSI() throws {
        let before = try #require(tracker.observe(Sightings.ofBeacon(at: 0)).first).interaction
        _ = tracker.observe(Sightings.ofBeacon(at: 20, rssi: 127))
        _ = tracker.observe(Sightings.ofBeacon(at: 25, rssi: 127))
        let after = try #require(tracker.present.first)
        #expect(after.lastSeenAt == Sightings.time(25))
        #expect(after.samples == 3)
        #expect(after.rssi == before.rssi)
        #expect(after.distance == before.distance)
    }

    // MARK: - Expected minutes

    @Test("Ten minutes right beside the gateway are ten minutes within 3 m")
    mutating func minutesNear() throws {
        let events = observe(from: 0, to: 600) { Sightings.ofBeacon(at: $0, rssi: -20) }
        let within = try #require(events.last).interaction.expectedMinutesWithin
        #expect(abs(within.threeMetres - 10) < 0.001)
        #expect(abs(within.sixMetres - 10) < 0.001)
    }

    @Test("Ten minutes far away are hardly any within 6 m")
    mutating func minutesFar() throws {
        let events = observe(from: 0, to: 600) { Sightings.ofBeacon(at: $0, rssi: -105) }
        let within = try #require(events.last).interaction.expectedMinutesWithin
        #expect(within.sixMetres < 0.1)
        #expect(within.threeMetres < within.sixMetres)
    }

    @Test("The time between two sightings counts with the probability of the first")
    mutating func minutesBetween() throws {
        let started = try #require(tracker.observe(Sightings.ofBeacon(at: 0, rssi: -70)).first).interaction
        _ = tracker.observe(Sightings.ofBeacon(at: 6, rssi: -40))
        let within = try #require(tracker.present.first).expectedMinutesWithin
        let probability = try #require(started.distance).probabilityWithin
        #expect(abs(within.threeMetres - 0.1 * probability.threeMetres) < 1e-12)
        #expect(abs(within.sixMetres - 0.1 * probability.sixMetres) < 1e-12)
    }

    @Test("One sighting vouches for ten seconds at most")
    mutating func minutesAcrossGaps() throws {
        let events = observe(from: 0, to: 600, by: 20) { Sightings.ofBeacon(at: $0, rssi: -20) }
        let within = try #require(events.last).interaction.expectedMinutesWithin
        #expect(abs(within.threeMetres - 5) < 0.001)
    }

    // MARK: - Continuation

    @Test("After 30 minutes an interaction is closed and continued by another that names it")
    mutating func continued() throws {
        let events = observe(from: 0, to: 1800)
        let closed = try #require(events.dropLast().last)
        let new = try #require(events.last)
        #expect(closed.kind == .ended)
        #expect(closed.time == Sightings.time(1800))
        #expect(closed.interaction.ending == .init(at: Sightings.time(1800), reason: .continued))
        #expect(closed.interaction.number == 1)
        #expect(closed.interaction.samples == 1800)
        #expect(new.kind == .started)
        #expect(new.time == Sightings.time(1800))
        #expect(new.interaction.number == 2)
        #expect(new.interaction.continues == 1)
        #expect(new.interaction.startedAt == Sightings.time(1800))
        #expect(tracker.count == 1)
    }

    @Test("It isn't closed a second before 30 minutes")
    mutating func notYetContinued() {
        #expect(observe(from: 0, to: 1799).allSatisfy { $0.kind != .ended })
    }

    @Test("The continuing interaction begins with fresh sums and keeps the distance")
    mutating func freshSums() throws {
        let events = observe(from: 0, to: 1800)
        let new = try #require(events.last).interaction
        #expect(new.samples == 1)
        #expect(new.rssi == .init(median: -60, minimum: -60, maximum: -60))
        #expect(new.expectedMinutesWithin == Within(threeMetres: 0, sixMetres: 0))
        #expect(new.distance != nil)
        _ = observe(from: 1801, to: 1810) { Sightings.ofBeacon(at: $0, rssi: -50) }
        let later = try #require(tracker.present.first)
        #expect(later.samples == 11)
        #expect(later.rssi == .init(median: -50, minimum: -60, maximum: -50))
    }

    @Test("The minutes of both parts add up to those of the whole")
    mutating func minutesOfParts() throws {
        var events = observe(from: 0, to: 2400) { Sightings.ofBeacon(at: $0, rssi: -20) }
        events += tracker.advance(to: Sightings.time(3000))
        let parts = events.filter { $0.kind == .ended }.map(\.interaction.expectedMinutesWithin.threeMetres)
        #expect(parts.count == 2)
        #expect(abs(parts.reduce(0, +) - 40) < 0.001)
    }

    @Test("The continuing interaction is reported an interval after it began")
    mutating func updateOfContinuing() throws {
        _ = observe(from: 0, to: 1800)
        let events = observe(from: 1801, to: 1830)
        #expect(events.map(\.kind) == [.updated])
        #expect(events.map(\.time) == [Sightings.time(1830)])
        #expect(events.map(\.interaction.continues) == [1])
    }

    @Test("A day is 48 parts, each naming the one before")
    mutating func day() {
        let events = observe(from: 0, to: 86_400, by: 10)
        let starts = events.filter { $0.kind == .started }.map(\.interaction)
        #expect(starts.count == 49)
        #expect(starts.dropFirst().map(\.continues) == starts.dropLast().map(\.number))
    }

    // MARK: - Capacity

    @Test("Whoever comes when the table is full is counted and not followed")
    mutating func full() {
        var rules = InteractionRules()
        rules.capacity = 2
        tracker = InteractionTracker(rules: rules)
        _ = tracker.observe(Sightings.ofBeacon(1, at: 0))
        _ = tracker.observe(Sightings.ofBeacon(2, at: 0))
        #expect(tracker.observe(Sightings.ofBeacon(3, at: 1)).isEmpty)
        #expect(tracker.observe(Sightings.ofBeacon(3, at: 2)).isEmpty)
        #expect(tracker.refusedSightings == 2)
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
        #expect(tracker.refusedSightings == 1)
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
        #expect(tracker.refusedSightings == 0)
    }

    @Test("Phones can't take the beacons' room, nor beacons the phones'")
    mutating func separateRoom() {
        var rules = InteractionRules()
        rules.capacity = 2
        tracker = InteractionTracker(rules: rules)
        for number in 1...10 { _ = tracker.observe(Sightings.ofPhone(UInt128(number), at: 0)) }
        #expect(tracker.count == 2)
        #expect(tracker.refusedSightings == 8)
        for minor in 1...10 { _ = tracker.observe(Sightings.ofBeacon(UInt16(minor), at: 0)) }
        #expect(tracker.count == 4)
        #expect(tracker.refusedSightings == 16)
        #expect(tracker.advance(to: Sightings.time(100)).count == 4)
        for minor in 1...2 { _ = tracker.observe(Sightings.ofBeacon(UInt16(minor), at: 100)) }
        for number in 1...2 { _ = tracker.observe(Sightings.ofPhone(UInt128(number), at: 100)) }
        #expect(tracker.count == 4)
        #expect(tracker.refusedSightings == 16)
    }

    // MARK: - Time

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
