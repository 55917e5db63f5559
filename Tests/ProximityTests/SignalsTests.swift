import BeaconModel
import TestValues
import Testing

@testable import Proximity

@Suite struct SignalsTests {
    private let first = Adapter(index: 0)
    private let second = Adapter(index: 1)

    private static func time(_ seconds: Double) -> Timestamp { Sightings.time(seconds) }

    private func tracker(_ change: (inout InteractionRules) -> Void = { _ in }) -> InteractionTracker {
        var rules = InteractionRules()
        rules.hasSignals = true
        change(&rules)
        return InteractionTracker(rules: rules)
    }

    private func beacon(
        _ minor: UInt16 = 1, at seconds: Double, rssi: Int8 = -60, by adapter: Adapter? = nil
    ) -> Sighting {
        var sighting = Sightings.ofBeacon(minor, at: seconds, rssi: rssi)
        sighting.adapter = adapter ?? first
        return sighting
    }

    private func subject(_ minor: UInt16) -> Subject { .beacon(Sightings.beacon(minor)) }

    private func counts(_ signals: Signals) -> [Subject: UInt32] {
        Dictionary(uniqueKeysWithValues: signals.subjects.map { ($0.subject, $0.count) })
    }

    @Test("A second has for each subject how often it was heard, and the mean of its plausible RSSI as received")
    func values() throws {
        var tracker = tracker()
        tracker.setOffset(7, of: first)
        for (seconds, rssi) in [(5.1, Int8(-60)), (5.2, -63), (5.3, 127), (5.9, -62)] {
            _ = tracker.observe(beacon(at: seconds, rssi: rssi))
        }
        _ = tracker.observe(beacon(2, at: 5.95, rssi: 127))
        #expect(tracker.takeSignals().isEmpty)
        _ = tracker.observe(beacon(2, at: 6.001))
        let signals = tracker.takeSignals()
        try #require(signals.count == 1)
        #expect(signals[0].startedAt == Self.time(5))
        #expect(
            signals[0].subjects == [
                .init(subject: subject(1), count: 4, rssi: -185.0 / 3), .init(subject: subject(2), count: 1, rssi: nil),
            ])
        #expect(signals[0].listened == .milliseconds(900))
        #expect(tracker.takeSignals().isEmpty)
    }

    @Test("Seconds begin with those of the clock; each packet counts once, in the second in which it was received")
    func seconds() {
        var tracker = tracker()
        var signals: [Signals] = []
        for tenth in 0...50 {
            _ = tracker.observe(beacon(at: 3.05 + Double(tenth) / 10))
            signals += tracker.takeSignals()
        }
        #expect(signals.map(\.startedAt) == (3..<8).map { Self.time(Double($0)) })
        #expect(signals.map { counts($0) } == Array(repeating: [subject(1): 10], count: 5))
    }

    @Test("Signals and readings count the same packets, each for itself")
    func both() {
        var tracker = tracker { $0.readingsInterval = .seconds(60) }
        var signals: [Signals] = []
        for second in 0..<180 {
            _ = tracker.observe(beacon(at: Double(second) + 0.5))
            signals += tracker.takeSignals()
        }
        _ = tracker.endAll(at: Self.time(180), reason: .shutdown)
        signals += tracker.takeSignals()
        let readings = tracker.takeReadings()
        #expect(signals.reduce(0) { $0 + $1.subjects.reduce(0) { $0 + $1.count } } == 180)
        #expect(readings.reduce(0) { $0 + $1.subjects.reduce(0) { $0 + $1.count } } == 180)
        #expect(Set(signals.map(\.startedAt)).count == 180)
    }

    @Test("Nobody heard: a message every 10 s, and the second says that the receiver listened")
    func nobody() {
        var tracker = tracker()
        tracker.hearsAgain(first, at: Self.time(0))
        var signals: [Signals] = []
        for second in 0...35 {
            tracker.passes(Self.time(Double(second)))
            // Evidence comes every five seconds only.
            if second.isMultiple(of: 5) { _ = tracker.heard(by: first, until: Self.time(Double(second))) }
            signals += tracker.takeSignals()
        }
        #expect(signals.map(\.startedAt) == [0, 10, 20, 30].map { Self.time($0) })
        #expect(signals.allSatisfy { $0.subjects.isEmpty && $0.listened == .seconds(1) })
    }

    @Test("After a subject was heard each second is told for 5 s, and the next empty one 10 s later")
    func somebodyBetween() {
        var tracker = tracker()
        tracker.hearsAgain(first, at: Self.time(0))
        var signals: [Signals] = []
        for second in 0...21 {
            _ = tracker.heard(by: first, until: Self.time(Double(second)))
            if second == 4 { _ = tracker.observe(beacon(at: 4.5)) }
            signals += tracker.takeSignals()
        }
        #expect(signals.map(\.startedAt) == [0, 4, 5, 6, 7, 8, 9, 19].map { Self.time($0) })
    }

    @Test("A deaf receiver says so at once, and again every 10 s, and when it listens again")
    func deaf() {
        var tracker = tracker()
        var signals: [Signals] = []
        func pass(_ seconds: ClosedRange<Int>, heard: Bool) {
            for second in seconds {
                tracker.passes(Self.time(Double(second)))
                if heard { _ = tracker.heard(by: first, until: Self.time(Double(second))) }
                signals += tracker.takeSignals()
            }
        }
        tracker.hearsAgain(first, at: Self.time(0))
        pass(0...3, heard: true)
        tracker.becameDeaf(first, at: Self.time(3.25))
        pass(4...20, heard: false)
        tracker.hearsAgain(first, at: Self.time(20.5))
        pass(21...22, heard: true)
        #expect(signals.map(\.startedAt) == [0, 4, 14, 20].map { Self.time($0) })
        #expect(signals.map(\.listened) == [.seconds(1), .zero, .zero, .milliseconds(500)])
    }

    @Test("An adapter whose evidence is older than 10 s isn't taken to listen")
    func noEvidence() {
        var tracker = tracker()
        _ = tracker.heard(by: first, until: Self.time(0))
        var signals: [Signals] = []
        for second in 1...14 {
            tracker.passes(Self.time(Double(second)))
            signals += tracker.takeSignals()
        }
        #expect(signals.map(\.startedAt) == [0, 10].map { Self.time($0) })
        #expect(signals.map(\.listened) == [.seconds(1), .zero])
    }

    @Test("Of several adapters one that listens is enough, also under another number")
    func adapters() {
        var tracker = tracker()
        tracker.hearsAgain(first, at: Self.time(0))
        tracker.hearsAgain(second, at: Self.time(0))
        _ = tracker.observe(beacon(at: 0.1, by: second))
        tracker.becameDeaf(first, at: Self.time(0.2))
        tracker.renumber(second, to: Adapter(index: 4))
        _ = tracker.observe(beacon(at: 1.5, by: Adapter(index: 4)))
        _ = tracker.observe(beacon(at: 2.5, by: Adapter(index: 4)))
        #expect(tracker.takeSignals().map(\.listened) == [.seconds(1), .seconds(1)])
    }

    @Test("A packet that comes late for a second that is over counts in the one that goes on")
    func late() {
        var tracker = tracker()
        _ = tracker.observe(beacon(at: 0.5))
        _ = tracker.observe(beacon(2, at: 1.1))
        _ = tracker.observe(beacon(at: 0.9, by: second))
        _ = tracker.observe(beacon(at: 2.1))
        #expect(
            tracker.takeSignals().map { counts($0) } == [[subject(1): 1], [subject(1): 1, subject(2): 1]])
    }

    @Test("When the clock is set back the second that it was has its signals, and seconds go on from the new time")
    func setBack() {
        var tracker = tracker()
        _ = tracker.observe(beacon(at: 1000.5))
        for tenth in 0...15 { _ = tracker.observe(beacon(at: 100.5 + Double(tenth) / 10)) }
        let signals = tracker.takeSignals()
        #expect(signals.map(\.startedAt) == [1000, 100, 101].map { Self.time($0) })
        #expect(signals.allSatisfy { $0.listened > .zero && $0.listened <= .seconds(1) })
    }

    @Test("A second that isn't over has no signals when the gateway stops")
    func stopped() {
        var tracker = tracker()
        _ = tracker.observe(beacon(at: 0.5))
        _ = tracker.observe(beacon(at: 1.5))
        _ = tracker.endAll(at: Self.time(1.8), reason: .shutdown)
        #expect(tracker.takeSignals().map(\.startedAt) == [Self.time(0)])
    }

    @Test("Signals are switched on and off while subjects are there; nothing of before counts")
    func switched() {
        var tracker = tracker { $0.hasSignals = false }
        for second in 0...5 { _ = tracker.observe(beacon(at: Double(second))) }
        #expect(tracker.takeSignals().isEmpty)
        tracker.setSignals(true)
        tracker.setSignals(true)
        // An adapter that listens goes on listening, although nothing has said so since.
        tracker.passes(Self.time(6))
        tracker.passes(Self.time(7))
        #expect(tracker.takeSignals() == [Signals(startedAt: Self.time(6), listened: .seconds(1), subjects: [])])
        _ = tracker.observe(beacon(at: 7.5))
        tracker.setSignals(false)
        tracker.passes(Self.time(8))
        #expect(tracker.takeSignals().isEmpty)
        tracker.setSignals(true)
        _ = tracker.observe(beacon(at: 9.5))
        tracker.passes(Self.time(10))
        #expect(tracker.takeSignals().map { counts($0) } == [[subject(1): 1]])
    }

    @Test("After a restart there are signals, by the rules")
    func resumed() {
        var before = tracker()
        _ = before.observe(beacon(at: 0))
        var rules = InteractionRules()
        rules.hasSignals = true
        var (tracker, _) = InteractionTracker.resuming(before.state, ofRun: 1, rules: rules, at: Self.time(5))
        tracker.hearsAgain(first, at: Self.time(5))
        _ = tracker.observe(beacon(at: 5.5))
        tracker.passes(Self.time(6))
        #expect(tracker.takeSignals().map { counts($0) } == [[subject(1): 1]])
    }

    @Test("In a flood of invented identities only those are in signals who are tracked")
    func flood() {
        let capacity = 50
        var tracker = tracker {
            $0.capacity = capacity
            $0.silence = .fixed(.seconds(2))
            $0.newcomerBurst = 10
        }
        var minor: UInt16 = 0
        var most = 0
        for step in 0..<6_000 {
            // Each comes twice, so that it may begin.
            if step.isMultiple(of: 2) { minor &+= 1 }
            _ = tracker.observe(beacon(1000 + minor, at: Double(step) / 100 + (step.isMultiple(of: 2) ? 0 : 0.02)))
            for signals in tracker.takeSignals() { most = max(most, signals.subjects.count) }
        }
        #expect((1...capacity).contains(most), "\(most)")
        #expect(tracker.refusals.total > 1000)
    }

    @Test(
        "However sightings, silences and clocks come, no second has more than it, and equal inputs give equal signals")
    func anyOrder() {
        var seeds = SeededGenerator("signals")
        for _ in 0..<40 {
            let seed = seeds.next()
            func run() -> [Signals] {
                var generator = SeededGenerator(seed: seed)
                var tracker = tracker()
                var seconds = 0.0
                var signals: [Signals] = []
                for _ in 0..<400 {
                    seconds = max(0, seconds + .random(in: -0.3...0.6, using: &generator))
                    if Int.random(in: 0..<50, using: &generator) == 0 {
                        seconds = .random(in: 0...400, using: &generator)
                    }
                    let adapter = Adapter(index: .random(in: 0...2, using: &generator))
                    switch Int.random(in: 0..<7, using: &generator) {
                    case 0: tracker.becameDeaf(adapter, at: Self.time(seconds))
                    case 1: tracker.hearsAgain(adapter, at: Self.time(seconds))
                    case 2: tracker.passes(Self.time(seconds))
                    case 3: _ = tracker.heard(by: adapter, until: Self.time(seconds))
                    case 4: _ = tracker.advance(to: Self.time(seconds))
                    default:
                        _ = tracker.observe(beacon(.random(in: 1...5, using: &generator), at: seconds, by: adapter))
                    }
                    signals += tracker.takeSignals()
                }
                return signals
            }
            let signals = run()
            let isRepeated = signals == run()
            #expect(isRepeated, seeds.comment)
            for each in signals {
                #expect(each.startedAt.microseconds.isMultiple(of: 1_000_000))
                #expect(each.listened >= .zero && each.listened <= .seconds(1), seeds.comment)
                #expect(each.subjects.isEmpty || each.listened > .zero, seeds.comment)
                #expect(Set(each.subjects.map(\.subject)).count == each.subjects.count)
                #expect(each.subjects.map(\.subject) == each.subjects.map(\.subject).sorted())
            }
        }
    }
}
