import BeaconModel
import FoundationEssentials
import TestValues
import Testing

@testable import Proximity

@Suite("InteractionTracker and restarts")
struct TrackerStateTests {
    private let adapter = Adapter(index: 0)

    private func restored(_ tracker: InteractionTracker, _ rules: InteractionRules) throws -> InteractionTracker {
        let bytes = try JSONEncoder().encode(tracker.state)
        return InteractionTracker(rules: rules, state: try JSONDecoder().decode(TrackerState.self, from: bytes))
    }

    /// A dozen subjects of any regularity that come and go.
    private func stream(_ generator: inout SeededGenerator) -> [Sighting] {
        var sightings: [Sighting] = []
        for number in 0..<12 {
            var time = Double.random(in: 0...600, using: &generator)
            let gap = Double.random(in: 0.1...20, using: &generator)
            while time < 4000 {
                time += Double.random(in: 0...(2 * gap), using: &generator)
                if Int.random(in: 0..<200, using: &generator) == 0 {
                    time += Double.random(in: 0...300, using: &generator)
                }
                let rssi = Int8.random(in: -100 ... -40, using: &generator)
                sightings.append(
                    number < 8
                        ? Sightings.ofBeacon(UInt16(number), at: time, rssi: rssi)
                        : Sightings.ofPhone(UInt128(number), at: time, rssi: rssi))
            }
        }
        return sightings.sorted { $0.time < $1.time }
    }

    @Test("A capture cut in two, with the state kept between, gives the events of the whole")
    func split() throws {
        var generator = SeededGenerator("split captures")
        var rules = InteractionRules()
        rules.longest = .seconds(900)
        for _ in 0..<8 {
            let sightings = stream(&generator)
            let end = try #require(sightings.last).time
            var whole = InteractionTracker(rules: rules)
            let expected = whole.observe(all: sightings) + whole.endAll(at: end, reason: .shutdown)
            var tracker = InteractionTracker(rules: rules)
            var found: [InteractionEvent] = []
            let cuts = (0..<3).map { _ in Int.random(in: 0..<sightings.count, using: &generator) }
            for (index, sighting) in sightings.enumerated() {
                if cuts.contains(index) { tracker = try restored(tracker, rules) }
                found += tracker.observe(sighting)
            }
            found += tracker.endAll(at: end, reason: .shutdown)
            #expect(found == expected, generator.comment)
            #expect(expected.count > 500, generator.comment)
        }
    }

    @Test(
        "A clock that steps by an hour forwards or backwards changes no duration of what is recorded before and after")
    func clockStep() throws {
        var generator = SeededGenerator("clock steps")
        for step in [3600.0, -3600] {
            let seconds = Double.random(in: 300...500, using: &generator)
            func durations(_ step: Double) -> [Duration] {
                var tracker = InteractionTracker(rules: InteractionRules())
                var events: [InteractionEvent] = []
                for index in 0..<10_000 {
                    let time = Double(index) / 10
                    events += tracker.observe(Sightings.ofBeacon(at: 10_000 + time + (time >= seconds ? step : 0)))
                }
                events += tracker.endAll(at: Sightings.time(11_000 + step), reason: .shutdown)
                return events.compactMap { event in
                    event.interaction.ending.map { $0.at - event.interaction.startedAt }
                }
            }
            let parts = durations(step)
            #expect(parts.count == 2, generator.comment)
            // Together as long as without a step, but for the gap between two packets or the second one of whoever has
            // just been said to have left.
            let whole = try #require(durations(0).first).inSeconds
            let sum = parts.map(\.inSeconds).reduce(0, +)
            #expect(abs(sum - whole) <= 0.201, generator.comment)
        }
    }

    @Test("After a restart whoever is heard again goes on under the number that it has")
    func resumed() throws {
        var before = InteractionTracker(rules: InteractionRules())
        _ = before.observe(Sightings.ofBeacon(7, at: 0))
        _ = before.observe(Sightings.ofBeacon(1, at: 50))
        _ = before.endAll(at: Sightings.time(50), reason: .lost)
        _ = before.observe(Sightings.ofBeacon(1, at: 50))
        var (tracker, events) = InteractionTracker.resuming(
            before.state, ofRun: 41, rules: InteractionRules(), at: Sightings.time(60))
        #expect(events.isEmpty)
        tracker.hearsAgain(adapter, at: Sightings.time(60))
        #expect(tracker.observe(Sightings.ofBeacon(1, at: 61)).filter { $0.kind != .updated }.isEmpty)
        let present = try #require(tracker.present.first)
        #expect((present.run, present.number, present.samples) == (41, 3, 2))
        #expect(present.startedAt == Sightings.time(50))
        #expect(tracker.observe(Sightings.ofBeacon(2, at: 62)).map(\.interaction.number) == [1])
    }

    @Test("After a restart whoever isn't heard again departs when the adapter has heard for long enough, once")
    func departedMeanwhile() throws {
        var before = InteractionTracker(rules: InteractionRules())
        _ = before.observe(Sightings.ofBeacon(1, at: 50))
        var (tracker, _) = InteractionTracker.resuming(
            before.state, ofRun: 41, rules: InteractionRules(), at: Sightings.time(60))
        tracker.hearsAgain(adapter, at: Sightings.time(60))
        #expect(tracker.heard(by: adapter, until: Sightings.time(89)).isEmpty)
        let ended = tracker.heard(by: adapter, until: Sightings.time(91))
        #expect(ended.map(\.interaction.ending) == [.init(at: Sightings.time(50), reason: .departed)])
        #expect(ended.map(\.interaction.run) == [41])
        #expect(tracker.heard(by: adapter, until: Sightings.time(500)).isEmpty)
    }

    @Test("After an outage as long as a departure whoever was there is lost")
    func lostMeanwhile() throws {
        var before = InteractionTracker(rules: InteractionRules())
        _ = before.observe(Sightings.ofBeacon(1, at: 50))
        let (tracker, events) = InteractionTracker.resuming(
            before.state, ofRun: 41, rules: InteractionRules(), at: Sightings.time(90))
        #expect(events.map(\.interaction.ending) == [.init(at: Sightings.time(50), reason: .lost)])
        #expect(events.map(\.interaction.run) == [41])
        #expect(tracker.count == 0)
    }

    @Test("Whoever is heard again soon after the gateway was stopped continues the interaction that this ended")
    func continues() throws {
        var before = InteractionTracker(rules: InteractionRules())
        for second in 0...60 { _ = before.observe(Sightings.ofBeacon(1, at: Double(second))) }
        let ended = before.endAll(at: Sightings.time(60), reason: .shutdown)
        #expect(ended.map(\.interaction.number) == [1])
        var (tracker, events) = InteractionTracker.resuming(
            before.state, ofRun: 41, rules: InteractionRules(), at: Sightings.time(70))
        #expect(events.isEmpty)
        tracker.hearsAgain(adapter, at: Sightings.time(70))
        let started = tracker.observe(Sightings.ofBeacon(1, at: 71))
        #expect(started.map(\.kind) == [.started])
        let new = try #require(started.first).interaction
        #expect((new.number, new.continues, new.continuesRun) == (1, 1, 41))
        #expect(new.firstSeenAt == Sightings.time(0))
        #expect(new.startedAt == Sightings.time(71))
    }

    @Test("What was learnt of silences is known after a restart")
    func learnt() throws {
        var before = InteractionTracker(rules: InteractionRules())
        for index in 0...3000 { _ = before.observe(Sightings.ofBeacon(1, at: Double(index) * 5 + Double(index % 7))) }
        let silence = try #require(before.present.first).reception.silence
        _ = before.endAll(at: Sightings.time(15_000), reason: .shutdown)
        var (tracker, _) = InteractionTracker.resuming(
            before.state, ofRun: 41, rules: InteractionRules(), at: Sightings.time(15_010))
        tracker.hearsAgain(adapter, at: Sightings.time(15_010))
        _ = tracker.observe(Sightings.ofBeacon(1, at: 15_011))
        #expect(try #require(tracker.present.first).reception.silence == silence)
        #expect(silence > .seconds(10))
    }

    @Test(
        "A subject is read as it was written",
        arguments: [
            Subject.beacon(Sightings.beacon(65_535)),
            .exposureNotification(RollingProximityIdentifier(bits: 1 << 127 | 5)),
            .contactApp(.herald, BluetoothAddress(bits: 0xA1B2_C3D4_E5F6)), .contactUser(.c19x, .max),
        ])
    func subjects(subject: Subject) throws {
        #expect(try JSONDecoder().decode([Subject].self, from: JSONEncoder().encode([subject])) == [subject])
    }

    @Test(
        "What is no subject is refused",
        arguments: [
            "", "beacon", "beacon/1/2/3", "herald/address/1", "c19x/code/-1", "exposure-notification/12", "x/code/1",
        ])
    func noSubject(text: String) throws {
        let bytes = try JSONEncoder().encode([text])
        #expect((try? JSONDecoder().decode([Subject].self, from: bytes)) == nil)
    }
}

extension TrackerStateTests {
    @Test("A state with the notes that were made after it knows who began, who ended, and who was heard until when")
    func notes() throws {
        var tracker = InteractionTracker(rules: InteractionRules())
        for second in 0...5 { _ = tracker.observe(Sightings.ofBeacon(1, at: Double(second))) }
        var state = tracker.state
        var notes: [TrackerNote] = []
        for second in 6...40 {
            var events = tracker.observe(Sightings.ofBeacon(2, at: Double(second)))
            if second < 20 { events += tracker.observe(Sightings.ofBeacon(3, at: Double(second))) }
            notes += events.compactMap { TrackerNote($0) }
            if second % 5 == 0 { notes.append(tracker.heard(since: Sightings.time(Double(second) - 5))) }
        }
        let bytes = try JSONEncoder().encode(notes)
        // An interrupted compaction has notes that the state knows already.
        for _ in 0..<2 { state.apply(try JSONDecoder().decode([TrackerNote].self, from: bytes)) }
        var (resumed, events) = InteractionTracker.resuming(
            state, ofRun: 5, rules: InteractionRules(), at: Sightings.time(45))
        #expect(events.isEmpty)
        #expect(
            resumed.present.map(\.subject) == tracker.present.map(\.subject), "the first has left, in its run")
        #expect(resumed.present.map(\.number) == [2, 3])
        #expect(resumed.present.map(\.lastSeenAt) == [40, 20].map(Sightings.time))
        resumed.hearsAgain(Adapter(index: 0), at: Sightings.time(45))
        // 3 was last heard at 19 s, which was noted at 20 s; its silence ran until 40 s and goes on at 45 s.
        #expect(resumed.heard(by: Adapter(index: 0), until: Sightings.time(54)).isEmpty)
        #expect(resumed.heard(by: Adapter(index: 0), until: Sightings.time(56)).map(\.interaction.number) == [3])
    }
}
