import BeaconModel
import FoundationEssentials
import Testing

@testable import Proximity

/// Restarts, adapters and files as they come at 2 a.m.
@Suite("InteractionTracker in adversity")
struct TrackerAdversityTests {
    private let first = Adapter(index: 0)
    private let second = Adapter(index: 1)

    private func sighting(_ minor: UInt16, _ seconds: Double, by adapter: UInt16 = 0) -> Sighting {
        var sighting = Sightings.ofBeacon(minor, at: seconds)
        sighting.adapter = Adapter(index: adapter)
        return sighting
    }

    private func resume(
        _ tracker: InteractionTracker, at seconds: Double, rules: InteractionRules = InteractionRules()
    ) -> (tracker: InteractionTracker, events: [InteractionEvent]) {
        InteractionTracker.resuming(tracker.state, ofRun: 5, rules: rules, at: Sightings.time(seconds))
    }

    @Test("What a restored interaction continues is named by the run in which that was")
    func continuesOfRun() throws {
        var rules = InteractionRules()
        rules.longest = .seconds(60)
        var tracker = InteractionTracker(rules: rules)
        for second in 0...70 { _ = tracker.observe(sighting(1, Double(second))) }
        let restored = try #require(resume(tracker, at: 75, rules: rules).tracker.present.first)
        #expect((restored.continues, restored.continuesRun) == (1, 5))
    }

    @Test("An interaction that is known by a note only keeps what it continues, and since when")
    func notedContinuation() throws {
        var rules = InteractionRules()
        rules.longest = .seconds(60)
        var tracker = InteractionTracker(rules: rules)
        var state = tracker.state
        var latest: Interaction?
        for second in 0...70 {
            for event in tracker.observe(sighting(1, Double(second))) {
                if let note = TrackerNote(event) { state.apply([note]) }
                if event.kind == .started { latest = event.interaction }
            }
        }
        let restored = try #require(InteractionTracker(rules: rules, state: state).present.first)
        #expect(restored.continues == latest?.continues)
        #expect(restored.firstSeenAt == latest?.firstSeenAt)
    }

    @Test("A deafness counts once, also when several are heard after it at once")
    func deafnessOnce() {
        var tracker = InteractionTracker(rules: InteractionRules())
        for minor: UInt16 in 1...4 { _ = tracker.observe(sighting(minor, 0)) }
        tracker.becameDeaf(first, at: Sightings.time(1))
        tracker.hearsAgain(first, at: Sightings.time(26))
        var ends: [Timestamp] = []
        for step in 0..<200 {
            ends += tracker.observe(sighting(4, 26.5 + Double(step) / 2)).filter { $0.kind == .ended }.map(\.time)
        }
        // 1 s before the deafness, and 29 s after it.
        #expect(ends == Array(repeating: Sightings.time(55), count: 3))
    }

    @Test("Whoever an adapter heard that is gone after a restart has a silence of the other's time before departing")
    func adopted() {
        var tracker = InteractionTracker(rules: InteractionRules())
        for second in 0...5 { _ = tracker.observe(sighting(1, Double(second), by: 2)) }
        var (resumed, lost) = resume(tracker, at: 30)
        #expect(lost.isEmpty)
        resumed.hearsAgain(first, at: Sightings.time(40))
        resumed.adopt(by: [first])
        #expect(resumed.heard(by: first, until: Sightings.time(69)).isEmpty)
        #expect(resumed.heard(by: first, until: Sightings.time(71)).map(\.interaction.ending?.reason) == [.departed])
    }

    @Test("Where no adapter is there after a restart, whoever was there is lost after a silence")
    func noAdapter() {
        var tracker = InteractionTracker(rules: InteractionRules())
        _ = tracker.observe(sighting(1, 0))
        var (resumed, _) = resume(tracker, at: 5)
        #expect(resumed.deafEverywhere(for: .seconds(29), at: Sightings.time(34)).isEmpty)
        let ended = resumed.deafEverywhere(for: .seconds(30), at: Sightings.time(35))
        #expect(ended.map(\.interaction.ending?.reason) == [.lost])
    }

    @Test("Two adapters that come back under each other's number keep nobody for ever, and nobody departs at once")
    func swapped() {
        var tracker = InteractionTracker(rules: InteractionRules())
        _ = tracker.observe(sighting(1, 0))
        _ = tracker.observe(sighting(2, 0, by: 1))
        tracker.becameDeaf(second, at: Sightings.time(1))
        for second in 1..<3600 { _ = tracker.observe(sighting(1, Double(second))) }
        tracker.hearsAgain(second, at: Sightings.time(3600))
        for second in 3600...3700 {
            _ = tracker.observe(sighting(1, Double(second)))
            _ = tracker.observe(sighting(2, Double(second), by: 1))
        }
        tracker.renumber(second, to: first)
        tracker.renumber(first, to: second)
        var ends: [InteractionEvent] = []
        for second in 3700..<3800 {
            ends += tracker.heard(by: first, until: Sightings.time(Double(second)))
            ends += tracker.heard(by: self.second, until: Sightings.time(Double(second)))
        }
        #expect(ends.count == 2)
        #expect(ends.allSatisfy { $0.time >= Sightings.time(3710) && $0.time <= Sightings.time(3760) })
    }

    @Test("An interaction that is known by a note only ends, whatever the runs before had heard")
    func notedEnds() {
        let rules = InteractionRules()
        var (tracker, _) = resume(InteractionTracker(rules: rules), at: 0)
        tracker.hearsAgain(first, at: Sightings.time(1))
        for second in 2...10 { _ = tracker.observe(sighting(1, Double(second))) }
        var state = tracker.state
        for event in tracker.observe(sighting(2, 11)) { if let note = TrackerNote(event) { state.apply([note]) } }
        var (resumed, lost) = InteractionTracker.resuming(state, ofRun: 2, rules: rules, at: Sightings.time(15))
        #expect(lost.isEmpty)
        resumed.hearsAgain(first, at: Sightings.time(16))
        #expect(resumed.heard(by: first, until: Sightings.time(100)).count == 2)
    }

    @Test("Whoever came back and left again isn't forgotten with the first of the two times")
    func leftTwice() {
        var table = DepartedTable(capacity: 2)
        func leave(_ minor: UInt16) {
            let track = Track(
                number: 1, subject: .beacon(Sightings.beacon(minor)), at: Sightings.time(0), adapter: first)
            table.left(track, .shutdown)
        }
        leave(1)
        _ = table.judge(Reading(sighting(1, 1)), of: .beacon(Sightings.beacon(1)), longest: .seconds(900))
        leave(1)
        leave(2)
        #expect(table.inOrder.count == 2)
    }

    @Test(
        "A state that can be read and can't be is no state",
        arguments: [
            ("samples", "18446744073709551615"), ("variance", "-1000"), ("count", "-2"), ("mean", "1e300"),
            ("packets", "9223372036854775807"), ("heardShare", "1e-300"), ("longestGap", "1e300"),
            ("silence", "[9223372036854775807,18446744073709551615]"),
            ("deafness", "[9223372036854775807,18446744073709551615]"),
        ])
    func implausible(key: String, value: String) throws {
        var tracker = InteractionTracker(rules: InteractionRules())
        for second in 0...140 { _ = tracker.observe(sighting(1, Double(second))) }
        let text = String(decoding: try JSONEncoder().encode(tracker.state), as: UTF8.self)
        let good = try JSONDecoder().decode(TrackerState.self, from: Data(text.utf8))
        #expect(good.isPlausible)
        let parts = text.split(separator: "\"\(key)\":", omittingEmptySubsequences: false)
        try #require(parts.count > 1)
        let replaced = parts.dropFirst().map { part -> String in
            let end = part.first == "[" ? part.firstIndex(of: "]").map { part.index(after: $0) } : nil
            let rest = part[(end ?? part.firstIndex { $0 == "," || $0 == "}" } ?? part.endIndex)...]
            return "\"\(key)\":\(value)" + rest
        }
        let bytes = Data((String(parts[0]) + replaced.joined()).utf8)
        #expect((try? JSONDecoder().decode(TrackerState.self, from: bytes))?.isPlausible ?? false == false)
    }
}
