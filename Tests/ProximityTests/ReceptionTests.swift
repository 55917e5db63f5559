import BeaconModel
import TestValues
import Testing

@testable import Proximity

@Suite("How regularly a subject is heard")
struct ReceptionTests {
    private var tracker = InteractionTracker(rules: InteractionRules())

    /// Advertising events every `interval` seconds and up to 10 ms later, of which each is heard with a probability of
    /// `share`.
    private func heard(
        _ minor: UInt16 = 1, from start: Double = 0, to end: Double, interval: Double, share: Double = 1,
        _ generator: inout SeededGenerator
    ) -> [Sighting] {
        var sightings: [Sighting] = []
        var time = start
        while time < end {
            if Double.random(in: 0..<1, using: &generator) < share {
                sightings.append(Sightings.ofBeacon(minor, at: time))
            }
            time += interval + Double.random(in: 0...0.01, using: &generator)
        }
        return sightings
    }

    @Test(
        "The interval and the share of its packets that are heard are learnt",
        arguments: [(0.1, 0.9), (0.1, 0.5), (0.1, 0.3), (0.5, 0.6), (1.0, 0.4), (1.285, 0.8), (5.0, 0.7)])
    mutating func learns(interval: Double, share: Double) throws {
        var generator = SeededGenerator("interval of \(interval) s")
        _ = tracker.observe(all: heard(to: 1800, interval: interval, share: share, &generator))
        let reception = try #require(tracker.present.first).reception
        // Between events there are the interval and 5 ms of delay in the mean.
        let found = try #require(reception.interval, generator.comment)
        #expect(abs(found / (interval + 0.005) - 1) < 0.05, generator.comment)
        let foundShare = try #require(reception.heardShare, generator.comment)
        #expect(abs(foundShare - share) < 0.1, generator.comment)
    }

    @Test("Before anything is known the silence is the assumed one")
    mutating func assumed() throws {
        _ = tracker.observe(Sightings.ofBeacon(at: 0))
        #expect(try #require(tracker.present.first).reception.silence == .seconds(30))
    }

    @Test("A beacon that is heard regularly is known to have left sooner; the more seldom it is heard, the later")
    mutating func silenceFollows() throws {
        var generator = SeededGenerator("silence")
        var silences: [Duration] = []
        for (minor, interval, share) in [(1, 0.1, 0.9), (2, 1.0, 0.5), (3, 5.0, 0.5)] as [(UInt16, Double, Double)] {
            var tracker = InteractionTracker(rules: InteractionRules())
            _ = tracker.observe(all: heard(minor, to: 3600, interval: interval, share: share, &generator))
            silences.append(try #require(tracker.present.first).reception.silence)
        }
        #expect(silences[0] == .seconds(10), generator.comment)
        #expect(silences[1] > .seconds(10) && silences[1] < .seconds(60), generator.comment)
        #expect(silences[2] > silences[1] && silences[2] < .seconds(300), generator.comment)
    }

    @Test(
        "Whoever is heard with losses that are independent is hardly ever said to have left",
        arguments: [0.5, 0.2, 0.05])
    mutating func falseEnds(share: Double) {
        var generator = SeededGenerator("false ends \(share)")
        // 20 hours of presence.
        let events = tracker.observe(all: heard(to: 72_000, interval: 1, share: share, &generator))
        let departures = events.filter { $0.interaction.ending?.reason == .departed }.count
        #expect(departures <= 2, generator.comment)
    }

    @Test("A newcomer is expected to be heard as others are here")
    mutating func newcomer() throws {
        // A receiver that listens for 20 s of each minute.
        for minute in 0..<30 {
            for second in 0..<20 {
                for minor in 1...2 {
                    _ = tracker.observe(
                        Sightings.ofBeacon(UInt16(minor), at: Double(60 * minute + second) + Double(minor) / 10))
                }
            }
        }
        _ = tracker.observe(Sightings.ofBeacon(9, at: 1800))
        let newcomer = try #require(tracker.present.first { $0.subject == .beacon(Sightings.beacon(9)) })
        #expect(newcomer.reception.silence > .seconds(45))
    }

    @Test("A beacon at the edge, of which a packet comes through now and then, doesn't come and go")
    mutating func edge() {
        var generator = SeededGenerator("edge")
        _ = tracker.observe(all: heard(to: 300, interval: 0.1, share: 0.9, &generator))
        // A packet every 2 minutes, for 2 hours.
        var events: [InteractionEvent] = []
        for index in 1...60 { events += tracker.observe(Sightings.ofBeacon(at: 300 + Double(index) * 120)) }
        #expect(events.filter { $0.kind == .started }.isEmpty)
        #expect(events.filter { $0.kind == .ended }.count == 1)
        #expect(tracker.refusals.strays == 60)
    }

    @Test("A beacon may have a silence of its own")
    mutating func override() throws {
        var rules = InteractionRules()
        rules.silenceOfBeacons[Sightings.beacon(2)] = .fixed(.seconds(77))
        tracker = InteractionTracker(rules: rules)
        var generator = SeededGenerator("override")
        for minor in 1...2 {
            _ = tracker.observe(
                all: heard(UInt16(minor), from: Double(minor - 1) * 200, to: 3600, interval: 1, &generator))
        }
        let silences = Dictionary(uniqueKeysWithValues: tracker.present.map { ($0.subject, $0.reception.silence) })
        #expect(silences[.beacon(Sightings.beacon(2))] == .seconds(77))
    }

    @Test("The smaller the probability of a false end, the longer the silence")
    mutating func probability() throws {
        var silences: [Duration] = []
        for probability in [0.5, 0.05, 0.0005] {
            var rules = InteractionRules()
            rules.silence.falseEndProbability = probability
            var tracker = InteractionTracker(rules: rules)
            var generator = SeededGenerator(seed: 7)
            _ = tracker.observe(all: heard(to: 7200, interval: 2, share: 0.3, &generator))
            silences.append(try #require(tracker.present.first).reception.silence)
        }
        #expect(silences == silences.sorted())
        #expect(Set(silences).count == 3)
    }

    @Test("Time in which nothing could be heard is no gap")
    mutating func deafness() throws {
        var generator = SeededGenerator("deaf")
        _ = tracker.observe(all: heard(to: 600, interval: 0.1, &generator))
        let before = try #require(tracker.present.first).reception.silence
        tracker.becameDeaf(Adapter(index: 0), at: Sightings.time(600))
        tracker.hearsAgain(Adapter(index: 0), at: Sightings.time(609))
        _ = tracker.observe(all: heard(from: 609, to: 700, interval: 0.1, &generator))
        #expect(try #require(tracker.present.first).reception.silence == before)
    }
}
