import BeaconModel
import Testing

@testable import Proximity

extension InteractionTrackerTests {
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
}
