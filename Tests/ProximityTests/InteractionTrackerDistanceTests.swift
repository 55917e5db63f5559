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
        var filter = RSSIFilter(-70, at: Sightings.time(0))
        for second in 1...30 { filter.update(-70, at: Sightings.time(Double(second))) }
        let expected = DistanceModel.general.estimate(rssi: -70, variance: filter.variance, measuredPower: -55)
        #expect(events.last?.kind == .updated)
        #expect(events.last?.interaction.distance == expected)
    }

    @Test("Once it is over the distance is that of the median strength")
    mutating func distanceOverall() throws {
        for (second, rssi) in [(0, -80), (1, -60), (2, -70)] as [(Double, Int8)] {
            _ = tracker.observe(Sightings.ofBeacon(at: second, rssi: rssi, measuredPower: -50))
        }
        let interaction = try #require(tracker.advance(to: Sightings.time(100)).first).interaction
        #expect(interaction.distance == DistanceModel.general.estimate(rssi: -70, variance: 0, measuredPower: -50))
        #expect(interaction.proximity == ProximityClass(interaction.distance))
    }

    @Test("A phone's distance is that of the phones' model")
    mutating func distanceOfPhone() throws {
        let interaction = try #require(tracker.observe(Sightings.ofPhone(at: 0, rssi: -70)).first).interaction
        #expect(
            interaction.distance
                == DistanceModel.phoneToGateway.estimate(rssi: -70, variance: 45.25, measuredPower: nil))
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

    @Test("One sighting vouches for ten seconds, as long as it isn't known how often the subject can be heard")
    mutating func minutesAcrossGaps() throws {
        _ = observe(from: 0, to: 100, by: 20) { Sightings.ofBeacon(at: $0, rssi: -20) }
        let within = try #require(tracker.present.first).expectedMinutesWithin
        #expect(abs(within.threeMetres - 50 / 60.0) < 0.001)
    }

    @Test("One sighting of somebody who is known to be heard every 8 s vouches for three times as long")
    mutating func minutesOfRareAdvertiser() throws {
        _ = observe(from: 0, to: 600, by: 8) { Sightings.ofBeacon(at: $0, rssi: -20) }
        let before = try #require(tracker.present.first).expectedMinutesWithin.threeMetres
        _ = tracker.observe(Sightings.ofBeacon(at: 622, rssi: -20))
        let after = try #require(tracker.present.first).expectedMinutesWithin.threeMetres
        // The last sighting was at 600 s; 22 s are less than 3 * 8 s.
        #expect(abs(after - before - 22 / 60.0) < 0.01)
    }

    @Test("A receiver's offset is taken off before the distance, and not off the RSSI that is told")
    mutating func receiverOffset() throws {
        tracker.setOffset(6, of: Adapter(index: 0))
        let interaction = try #require(tracker.observe(Sightings.ofBeacon(at: 0, rssi: -70)).first).interaction
        #expect(interaction.rssi?.median == -70)
        #expect(interaction.distance == DistanceModel.general.estimate(rssi: -76, variance: 45.25, measuredPower: -59))
    }

    @Test("A beacon that was calibrated has the power and the exponent that were measured, whatever it says")
    mutating func calibratedBeacon() throws {
        var rules = InteractionRules()
        rules.distance.calibration.beacons[Sightings.beacon(1)] = BeaconCalibration(
            measuredPower: -66.5, deviation: 3, samples: 100, exponent: 3)
        tracker = InteractionTracker(rules: rules)
        var model = DistanceModel.general
        model.exponent = 3
        let calibrated = try #require(tracker.observe(Sightings.ofBeacon(1, at: 0, rssi: -70)).first).interaction
        #expect(calibrated.distance == model.estimate(rssi: -70, variance: 45.25, measuredPower: -66.5))
        let other = try #require(tracker.observe(Sightings.ofBeacon(2, at: 0, rssi: -70)).first).interaction
        #expect(other.distance == DistanceModel.general.estimate(rssi: -70, variance: 45.25, measuredPower: -59))
    }

    /// Whether the subject is near, each second.
    private mutating func classes(_ rssi: [Int8]) -> [ProximityClass] {
        rssi.enumerated().map { second, rssi in
            _ = tracker.observe(Sightings.ofBeacon(at: Double(second), rssi: rssi))
            return tracker.present.first?.proximity ?? .unknown
        }
    }

    @Test("Somebody at the edge of 3 m doesn't go to and fro between near and far")
    mutating func edge() {
        // 3 m, where the model expects -59 - 21 log10(3) = -69 dBm, with fading of 4 dB to both sides.
        let seen = classes((0..<600).map { $0 % 20 < 10 ? -65 : -73 })
        let changes = zip(seen, seen.dropFirst()).filter { $0 != $1 }.count
        #expect(changes <= 1)
    }

    @Test("Somebody who comes nearer is near, and far after having gone away")
    mutating func nearAndFar() {
        let seen = classes(
            Array(repeating: Int8(-85), count: 60) + Array(repeating: -55, count: 60) + Array(repeating: -85, count: 60)
        )
        #expect(seen[59] == .far)
        #expect(seen[119] == .near)
        #expect(seen[179] == .far)
    }
}
