import BeaconModel
import TestValues
import Testing

@testable import Proximity

/// What holds for any stream of sightings.
@Suite("InteractionTracker with random streams")
struct InteractionTrackerPropertyTests {
    /// A few beacons and phones that come and go, of any strength, by a clock that sometimes stops, jumps or goes back.
    private func stream(_ generator: inout SeededGenerator) -> [Sighting] {
        var seconds = 0.0
        return (0..<1500).map { _ in
            switch Int.random(in: 0..<100, using: &generator) {
            case 0: seconds += Double.random(in: 0...90, using: &generator)
            case 1...4: seconds = max(0, seconds - Double.random(in: 0...20, using: &generator))
            case 5...9: seconds = seconds.rounded(.up)
            case 10...19: break
            default: seconds += Double.random(in: 0...3, using: &generator)
            }
            let rssi: Int8 =
                Int.random(in: 0..<10, using: &generator) == 0 ? 127 : Int8.random(in: -115 ... -20, using: &generator)
            let who = Int.random(in: 0..<12, using: &generator)
            // Beacons are heard so often that their interactions last, phones so seldom that they keep departing.
            return who < 8
                ? Sightings.ofBeacon(UInt16(who / 2), at: seconds, rssi: rssi)
                : Sightings.ofPhone(UInt128(who), at: seconds, rssi: rssi)
        }
    }

    private var rules: InteractionRules {
        var rules = InteractionRules()
        rules.capacity = 3
        // Saying what time it is says that the adapter heard: that has a test of its own.
        rules.fewestSilentTogether = .max
        rules.longest = .seconds(60)
        // The streams go back in time as they like; a clock that is set back has a test of its own.
        rules.largestDisorder = .seconds(1_000_000)
        return rules
    }

    /// Everything that a stream gives, to its end.
    private func run(
        _ sightings: [Sighting],
        before each: (inout InteractionTracker, Sighting) -> [InteractionEvent] = { _, _ in [] }
    ) -> (events: [InteractionEvent], refused: UInt64) {
        var tracker = InteractionTracker(rules: rules)
        var events: [InteractionEvent] = []
        for sighting in sightings {
            events += each(&tracker, sighting)
            events += tracker.observe(sighting)
        }
        events += tracker.endAll(at: sightings.map(\.time).max() ?? .epoch, reason: .shutdown)
        return (events, tracker.refusals.total)
    }

    @Test("Saying more often what time it is changes nothing")
    func batching() {
        var generator = SeededGenerator("batching of streams")
        for _ in 0..<30 {
            let sightings = stream(&generator)
            let plain = run(sightings)
            var reached = Timestamp.epoch
            var extra = generator
            let often = run(sightings) { tracker, sighting in
                var events: [InteractionEvent] = []
                // Any times between the time reached and the next sighting, and older ones.
                let earliest = reached.microseconds - 30_000_000
                let latest = max(reached, sighting.time).microseconds
                if reached > .epoch {
                    for _ in 0..<Int.random(in: 0...3, using: &extra) {
                        let time = Int64.random(in: min(earliest, latest)...latest, using: &extra)
                        events += tracker.advance(to: Timestamp(microseconds: time))
                    }
                }
                reached = max(reached, sighting.time)
                return events
            }
            #expect(plain.events == often.events, generator.comment)
            #expect(plain.refused == often.refused, generator.comment)
            #expect(plain.events.count > 100, generator.comment)
        }
    }

    @Test("Every interaction is started once, ended once, and nobody is in two at once")
    func lifeCycle() {
        var generator = SeededGenerator("life cycles")
        for _ in 0..<20 {
            var open: [UInt64: Subject] = [:]
            var numbers: [UInt64] = []
            for event in run(stream(&generator)).events {
                let interaction = event.interaction
                switch event.kind {
                case .started:
                    #expect(!open.values.contains(interaction.subject), generator.comment)
                    open[interaction.number] = interaction.subject
                    numbers.append(interaction.number)
                case .updated:
                    #expect(open[interaction.number] == interaction.subject, generator.comment)
                    #expect(interaction.ending == nil, generator.comment)
                case .ended:
                    #expect(open.removeValue(forKey: interaction.number) == interaction.subject, generator.comment)
                    #expect(interaction.ending != nil, generator.comment)
                }
                #expect(open.count <= 6, generator.comment)
            }
            #expect(open.isEmpty, generator.comment)
            #expect(numbers == (1...UInt64(numbers.count)).map { $0 }, generator.comment)
        }
    }

    @Test("Events come in the order of their times, and no interaction ends before it starts")
    func order() {
        var generator = SeededGenerator("order of events")
        for _ in 0..<20 {
            let events = run(stream(&generator)).events
            #expect(zip(events, events.dropFirst()).allSatisfy { $0.time <= $1.time }, generator.comment)
            for interaction in events.map(\.interaction) {
                #expect(interaction.startedAt <= interaction.lastSeenAt, generator.comment)
                guard let ending = interaction.ending else { continue }
                // A part that is continued reaches to the start of the next one.
                let isInOrder =
                    ending.reason == .continued
                    ? interaction.lastSeenAt <= ending.at : interaction.lastSeenAt == ending.at
                #expect(isInOrder, generator.comment)
            }
        }
    }

    @Test("Every sighting is in just one interaction, or refused")
    func samples() {
        var generator = SeededGenerator("samples of streams")
        for _ in 0..<20 {
            let sightings = stream(&generator)
            let (events, refused) = run(sightings)
            let counted = events.filter { $0.kind == .ended }.reduce(0) { $0 + $1.interaction.samples }
            #expect(counted + refused == UInt64(sightings.count), generator.comment)
            #expect(refused > 0, generator.comment)
        }
    }

    @Test("Nobody was near for longer than they were here")
    func minutes() {
        var generator = SeededGenerator("minutes of streams")
        for _ in 0..<20 {
            let isBounded = run(stream(&generator)).events.map(\.interaction).allSatisfy { interaction in
                let within = interaction.expectedMinutesWithin
                let end = interaction.ending?.at ?? interaction.lastSeenAt
                let here = (end - interaction.startedAt).inSeconds / 60
                return 0 <= within.threeMetres && within.threeMetres <= within.sixMetres
                    && within.sixMetres <= here + 1e-9
            }
            #expect(isBounded, generator.comment)
        }
    }

    @Test("All reasons but loss occur in these streams, so that they test something")
    func coverage() {
        var generator = SeededGenerator("coverage of streams")
        let reasons = (0..<5).flatMap { _ in run(stream(&generator)).events.compactMap(\.interaction.ending?.reason) }
        #expect(Set(reasons) == [.departed, .continued, .shutdown], generator.comment)
    }
}
