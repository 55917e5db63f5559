import BeaconModel
import Testing

@testable import Proximity

@Suite("Receivers that hear at intervals")
struct ReceptionAtIntervalsTests {
    /// What is published of interactions that ended as departed, while `sightings` are taken in.
    private func departures(_ sightings: [Sighting]) -> Int {
        var tracker = InteractionTracker(rules: InteractionRules())
        return sightings.sorted { $0.time < $1.time }.flatMap { tracker.observe($0) }
            .count { $0.kind == .ended && $0.interaction.ending?.reason == .departed }
    }

    /// Three packets of each beacon every five minutes.
    private func bursts(_ beacons: ClosedRange<UInt16>, cycles: Int) -> [Sighting] {
        var sightings: [Sighting] = []
        for minor in beacons {
            for index in 0..<(3 * cycles) {
                let time = Double(index / 3 * 300 + index % 3) + Double(minor) / 100
                sightings.append(Sightings.ofBeacon(minor, at: time))
            }
        }
        return sightings
    }

    @Test("When several beacons fall silent at one moment it is the receiver, and nobody departs")
    func silentTogether() {
        #expect(departures(bursts(1...8, cycles: 6)) == 0)
    }

    @Test("When several beacons come back after the same time it is the receiver: each departs once, and no more")
    func learnsFromEachOther() {
        #expect(departures(bursts(1...2, cycles: 6)) <= 4)
    }

    @Test("A stranger's packet that comes first after a common silence ends nobody's interaction")
    func strangerFirst() {
        var tracker = InteractionTracker(rules: InteractionRules())
        for second in 0..<20 { for minor: UInt16 in 1...3 { _ = observe(minor, second, &tracker) } }
        #expect(tracker.received(by: Adapter(index: 0), at: Sightings.time(70)).isEmpty)
        #expect(tracker.received(by: Adapter(index: 0), at: Sightings.time(90)).isEmpty)
        #expect(tracker.received(by: Adapter(index: 0), at: Sightings.time(101)).count == 3)
    }

    @Test("An adapter that says itself that it hears is believed: whoever falls silent then departs")
    func adapterHears() {
        var tracker = InteractionTracker(rules: InteractionRules())
        for second in 0..<20 { for minor: UInt16 in 1...5 { _ = observe(minor, second, &tracker) } }
        var departed = 0
        for second in 20..<60 {
            departed += tracker.heard(by: Adapter(index: 0), until: Sightings.time(Double(second))).count
        }
        #expect(departed == 5)
    }

    @Test("Two regularly heard beacons that are away for the same time are as quickly missed as before")
    func breakTogether() throws {
        var tracker = InteractionTracker(rules: InteractionRules())
        for second in 0..<1200 { for minor: UInt16 in 1...2 { _ = observe(minor, second, &tracker) } }
        let before = try #require(tracker.present.last).reception.silence
        for second in 1500..<1560 { for minor: UInt16 in 1...2 { _ = observe(minor, second, &tracker) } }
        #expect(tracker.present.count == 2)
        #expect(tracker.present.allSatisfy { $0.reception.silence <= before + .seconds(5) })
    }

    @Test("A newcomer's silence is prolonged when others have shown that one is heard seldom here, never shortened")
    func prolonged() {
        let rules = InteractionRules()
        var track = Track(
            number: 1, subject: .beacon(Sightings.beacon(1)), at: Sightings.time(0), adapter: Adapter(index: 0))
        let nothing = ReceptionPrior()
        track.learnSilence(rules, prior: nothing)
        #expect(track.silence == .seconds(30))
        var seldom = ReceptionPrior()
        var often = ReceptionPrior()
        // Natural logarithms of the longest gaps of minutes: e^4 s and e^-1 s.
        for _ in 0..<100 {
            seldom.add(4)
            often.add(-1)
        }
        let byNothing = track.prolongSilence(rules, prior: nothing)
        let byOften = track.prolongSilence(rules, prior: often)
        #expect(!byNothing && !byOften && track.silence == .seconds(30))
        let bySeldom = track.prolongSilence(rules, prior: seldom)
        #expect(bySeldom && track.silence > .seconds(54))
        // Of its own it has a minute now.
        var known = track
        for second in 0...61 {
            var prior = nothing
            known.add(
                Reading(Sightings.ofBeacon(at: Double(second))), at: Sightings.time(Double(second)), offset: 0,
                deafness: .zero, rules: rules, prior: &prior)
        }
        let ofKnown = known.prolongSilence(rules, prior: seldom)
        #expect(!ofKnown)
    }

    private func observe(
        _ minor: UInt16, _ second: Int, _ tracker: inout InteractionTracker
    ) -> [InteractionEvent] {
        tracker.observe(Sightings.ofBeacon(minor, at: Double(second) + Double(minor) / 100))
    }
}
