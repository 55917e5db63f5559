import BeaconModel
import TestValues
import Testing

@testable import Proximity

@Suite struct ReadingsTests {
    /// A whole minute; seconds of `Sightings` count from here.
    private static let start = Timestamp(microseconds: 1_600_000_020_000_000)
    private static let offset = 20.0
    private let first = Adapter(index: 0)
    private let second = Adapter(index: 1)

    private static func time(_ seconds: Double) -> Timestamp { Sightings.time(offset + seconds) }

    private func tracker(
        interval: Duration? = .seconds(60), _ change: (inout InteractionRules) -> Void = { _ in }
    ) -> InteractionTracker {
        var rules = InteractionRules()
        rules.readingsInterval = interval
        change(&rules)
        return InteractionTracker(rules: rules)
    }

    private func beacon(
        _ minor: UInt16 = 1, at seconds: Double, rssi: Int8 = -60, by adapter: Adapter? = nil
    ) -> Sighting {
        var sighting = Sightings.ofBeacon(minor, at: Self.offset + seconds, rssi: rssi)
        sighting.adapter = adapter ?? first
        return sighting
    }

    /// A second after the other an adapter has heard whatever there was.
    private func hear(
        _ tracker: inout InteractionTracker, from: Int, through end: Int, by adapter: Adapter? = nil
    ) {
        for second in from...end { _ = tracker.heard(by: adapter ?? first, until: Self.time(Double(second))) }
    }

    private func counts(_ readings: Readings) -> [Subject: UInt32] {
        Dictionary(uniqueKeysWithValues: readings.subjects.map { ($0.subject, $0.count) })
    }

    private func subject(_ minor: UInt16) -> Subject { .beacon(Sightings.beacon(minor)) }

    @Test("A minute has for each subject how often it was heard, and the mean of its plausible RSSI as received")
    func minute() throws {
        var tracker = tracker()
        tracker.setOffset(7, of: first)
        for (seconds, rssi) in [(1.0, Int8(-60)), (2, -63), (3, 127), (4, 0), (5, -62)] {
            _ = tracker.observe(beacon(at: seconds, rssi: rssi))
        }
        _ = tracker.observe(beacon(2, at: 6, rssi: 127))
        hear(&tracker, from: 7, through: 60)
        let readings = tracker.takeReadings()
        try #require(readings.count == 1)
        #expect(readings[0].startedAt == Self.start)
        #expect(readings[0].endedAt == Self.time(60))
        #expect(readings[0].decidedAt == Self.time(60))
        #expect(
            readings[0].subjects == [
                .init(subject: subject(1), count: 5, rssi: -185.0 / 3), .init(subject: subject(2), count: 1, rssi: nil),
            ])
        #expect(readings[0].listened == .seconds(59))
        #expect(readings[0].adapters == [.init(adapter: first, listened: .seconds(59))])
        #expect(tracker.takeReadings().isEmpty)
    }

    @Test("Minutes begin with those of the clock, whatever their length", arguments: [30, 60, 90, 120])
    func alignment(seconds: Int64) {
        var tracker = tracker(interval: .seconds(seconds))
        hear(&tracker, from: 17, through: 500)
        let readings = tracker.takeReadings()
        #expect(readings.count >= 3)
        for each in readings {
            #expect(each.startedAt.microseconds % (seconds * 1_000_000) == 0)
            #expect(each.endedAt - each.startedAt == .seconds(seconds))
        }
        #expect(readings.dropFirst().allSatisfy { $0.listened == .seconds(seconds) })
        #expect(zip(readings, readings.dropFirst()).allSatisfy { $0.endedAt == $1.startedAt })
    }

    @Test("A packet belongs to the minute in which it was received")
    func boundary() {
        var tracker = tracker()
        _ = tracker.observe(beacon(at: 59.9))
        _ = tracker.observe(beacon(at: 60))
        _ = tracker.observe(beacon(at: 60.5))
        hear(&tracker, from: 61, through: 120)
        #expect(tracker.takeReadings().map { counts($0) } == [[subject(1): 1], [subject(1): 2]])
    }

    @Test("A packet that comes late for a minute that is over counts in the one that goes on")
    func late() {
        var tracker = tracker()
        _ = tracker.observe(beacon(at: 58))
        hear(&tracker, from: 59, through: 60)
        _ = tracker.observe(beacon(at: 59.5, by: second))
        hear(&tracker, from: 61, through: 120)
        #expect(tracker.takeReadings().map { counts($0) } == [[subject(1): 1], [subject(1): 1]])
    }

    @Test("When nobody was heard the minute says that it was listened")
    func nobody() {
        var tracker = tracker()
        hear(&tracker, from: 0, through: 120)
        let readings = tracker.takeReadings()
        #expect(readings.map(\.subjects.isEmpty) == [true, true])
        #expect(readings.map(\.listened) == [.seconds(60), .seconds(60)])
    }

    @Test("While an adapter is deaf nothing is listened, and its minutes are there")
    func deaf() {
        var tracker = tracker()
        hear(&tracker, from: 0, through: 20)
        tracker.becameDeaf(first, at: Self.time(21))
        for second in 21...150 { _ = tracker.deaf(first, for: .seconds(second - 21), at: Self.time(Double(second))) }
        tracker.hearsAgain(first, at: Self.time(150))
        hear(&tracker, from: 151, through: 180)
        let readings = tracker.takeReadings()
        #expect(readings.map(\.listened) == [.seconds(20), .zero, .seconds(30)])
        #expect(readings.map { $0.adapters.map(\.listened) } == [[.seconds(20)], [.zero], [.seconds(30)]])
    }

    @Test("What is said to be heard by an adapter that is deaf isn't listened to")
    func heardWhileDeaf() {
        var tracker = tracker()
        tracker.hearsAgain(first, at: Self.time(0))
        tracker.becameDeaf(first, at: Self.time(0))
        hear(&tracker, from: 1, through: 60)
        #expect(tracker.takeReadings().map(\.listened) == [.zero])
    }

    @Test("Without any adapter the minutes say that nothing was listened")
    func noAdapter() {
        var tracker = tracker()
        for second in 0...120 {
            _ = tracker.deafEverywhere(for: .seconds(second), at: Self.time(Double(second)))
        }
        let readings = tracker.takeReadings()
        #expect(readings.map(\.listened) == [.zero, .zero])
        #expect(readings.allSatisfy { $0.adapters.isEmpty && $0.subjects.isEmpty })
    }

    @Test("Of two adapters the time counts in which at least one listened")
    func twoAdapters() {
        var tracker = tracker()
        for adapter in [first, second] { tracker.hearsAgain(adapter, at: Self.time(0)) }
        for second in 1...60 {
            if second <= 20 { hear(&tracker, from: second, through: second, by: first) }
            if second == 20 { tracker.becameDeaf(first, at: Self.time(20)) }
            if second <= 10 || second > 45 { hear(&tracker, from: second, through: second, by: self.second) }
            if second == 10 { tracker.becameDeaf(self.second, at: Self.time(10)) }
            if second == 45 { tracker.hearsAgain(self.second, at: Self.time(45)) }
        }
        let readings = tracker.takeReadings()
        #expect(readings.map(\.listened) == [.seconds(35)])
        #expect(
            readings.first?.adapters == [
                .init(adapter: first, listened: .seconds(20)), .init(adapter: second, listened: .seconds(25)),
            ])
    }

    @Test("Two adapters together don't listen for longer than the minute, nor hear less often")
    func bothAdapters() {
        var tracker = tracker()
        for second in 0...120 {
            for adapter in [first, self.second] {
                _ = tracker.observe(beacon(at: Double(second) + 0.1 * Double(adapter.index), by: adapter))
            }
        }
        let readings = tracker.takeReadings()
        #expect(readings.map { counts($0) } == [[subject(1): 120], [subject(1): 120]])
        #expect(readings.map(\.listened) == [.seconds(60), .seconds(60)])
        // What the second one had still to say when the first minute was over counts in the other.
        #expect(readings.map { $0.adapters.last?.listened } == [.seconds(59), .seconds(60)])
    }

    @Test("A time without any evidence isn't listened, if it is longer than 10 s")
    func gaps() {
        var tracker = tracker()
        for seconds in [0, 10, 10.1, 25, 30, 60.0] { _ = tracker.heard(by: first, until: Self.time(seconds)) }
        #expect(tracker.takeReadings().map(\.listened) == [.milliseconds(15_100)])
    }

    @Test("A gap over the end of a minute counts as one")
    func gapOverTheEnd() {
        var tracker = tracker()
        for seconds in [0, 5, 10, 15, 20, 25, 30, 35, 40, 45, 50, 54, 66, 70, 80, 90, 100, 110, 120.0] {
            _ = tracker.heard(by: first, until: Self.time(seconds))
        }
        #expect(tracker.takeReadings().map(\.listened) == [.seconds(54), .seconds(54)])
    }

    @Test("Of minutes in which no time was told there are no readings")
    func suspended() {
        var tracker = tracker()
        hear(&tracker, from: 0, through: 30)
        hear(&tracker, from: 3_700, through: 3_780)
        let readings = tracker.takeReadings()
        #expect(readings.map(\.startedAt) == [0, 3660, 3720].map { Self.time($0) })
        #expect(readings.map(\.listened) == [.seconds(30), .seconds(20), .seconds(60)])
    }

    @Test("A clock that is set back gives a minute again, and none more than its length")
    func clockSetBack() {
        var tracker = tracker()
        hear(&tracker, from: 600, through: 650)
        _ = tracker.observe(beacon(at: 651))
        hear(&tracker, from: 20, through: 60)
        hear(&tracker, from: 30, through: 120)
        let readings = tracker.takeReadings()
        #expect(readings.map(\.startedAt) == [600, 0, 0, 60].map { Self.time($0) })
        #expect(readings.map(\.listened) == [51, 40, 30, 60].map { Duration.seconds($0) })
        #expect(readings.map { counts($0) } == [[subject(1): 1], [:], [:], [:]])
    }

    @Test("A clock that is set back within a minute doesn't make it longer than it is")
    func clockSetBackWithinMinute() {
        var tracker = tracker()
        hear(&tracker, from: 0, through: 50)
        hear(&tracker, from: 10, through: 60)
        #expect(tracker.takeReadings().map(\.listened) == [.seconds(60)])
    }

    @Test("A clock that jumps ahead and back while everything is deaf delays no minute")
    func clockJumpsWhileDeaf() {
        var tracker = tracker()
        tracker.hearsAgain(first, at: Self.time(0))
        tracker.becameDeaf(first, at: Self.time(0))
        for seconds in [1, 2, 7200, 3, 4, 60.0] { _ = tracker.deaf(first, for: .seconds(3), at: Self.time(seconds)) }
        #expect(tracker.takeReadings().map(\.startedAt) == [0, 0].map { Self.time($0) })
    }

    @Test("Whoever departs within the minute is in it, and whoever comes again is in it once")
    func departure() {
        var tracker = tracker {
            $0.silence = .fixed(.seconds(5))
            $0.readingsInterval = .seconds(60)
        }
        for seconds in [1.0, 2, 30, 31, 32] {
            hear(&tracker, from: Int(seconds) - 1, through: Int(seconds))
            _ = tracker.observe(beacon(at: seconds, rssi: seconds < 10 ? -60 : -75))
        }
        hear(&tracker, from: 33, through: 60)
        #expect(tracker.count == 0)
        #expect(
            tracker.takeReadings().map(\.subjects) == [[.init(subject: subject(1), count: 5, rssi: -69)]])
    }

    @Test("An interaction that is closed for its length and continued is counted on")
    func continued() {
        var tracker = tracker { $0.longest = .seconds(30) }
        for second in 0...60 { _ = tracker.observe(beacon(at: Double(second))) }
        #expect(tracker.takeReadings().map { counts($0) } == [[subject(1): 60]])
    }

    @Test("A gateway that stops gives what it has of the minute")
    func shutdown() {
        var tracker = tracker()
        for second in 60...80 { _ = tracker.observe(beacon(at: Double(second))) }
        _ = tracker.endAll(at: Self.time(81), reason: .shutdown)
        let readings = tracker.takeReadings()
        #expect(readings.map(\.startedAt) == [Self.time(60)])
        #expect(readings.map(\.endedAt) == [Self.time(120)])
        #expect(readings.map(\.decidedAt) == [Self.time(81)])
        #expect(readings.map(\.listened) == [.seconds(20)])
        #expect(readings.map { counts($0) } == [[subject(1): 21]])
        #expect(tracker.takeReadings().isEmpty)
    }

    @Test("A gateway that stops at a minute's end gives that minute and none beside it")
    func shutdownAtEnd() {
        var tracker = tracker()
        hear(&tracker, from: 0, through: 59)
        _ = tracker.endAll(at: Self.time(60), reason: .shutdown)
        #expect(tracker.takeReadings().map(\.startedAt) == [Self.start])
    }

    @Test("An adapter that gets another number keeps what it has listened")
    func renumbered() {
        var tracker = tracker()
        hear(&tracker, from: 0, through: 30)
        tracker.renumber(first, to: second)
        hear(&tracker, from: 31, through: 60, by: second)
        #expect(
            tracker.takeReadings().map(\.adapters) == [[.init(adapter: second, listened: .seconds(60))]])
    }

    @Test("After a restart only those adapters are named that are there again")
    func resumed() {
        var before = tracker()
        hear(&before, from: 0, through: 20, by: second)
        var rules = InteractionRules()
        rules.readingsInterval = .seconds(60)
        var (tracker, _) = InteractionTracker.resuming(before.state, ofRun: 1, rules: rules, at: Self.time(30))
        tracker.hearsAgain(first, at: Self.time(30))
        hear(&tracker, from: 31, through: 60)
        #expect(tracker.takeReadings().map(\.adapters) == [[.init(adapter: first, listened: .seconds(30))]])
    }

    @Test("Where no readings are wanted there are none")
    func off() {
        var tracker = tracker(interval: nil)
        for second in 0...120 { _ = tracker.observe(beacon(at: Double(second))) }
        _ = tracker.endAll(at: Self.time(130), reason: .shutdown)
        #expect(tracker.takeReadings().isEmpty)
    }

    @Test("In a flood of invented identities only those are counted who are followed, in bounded memory")
    func flood() throws {
        let capacity = 50
        var tracker = tracker {
            $0.capacity = capacity
            $0.silence = .fixed(.seconds(2))
            $0.newcomerBurst = 10
        }
        var minor: UInt16 = 0
        for step in 0..<6_000 {
            // Each comes twice, so that it may begin.
            if step.isMultiple(of: 2) { minor &+= 1 }
            _ = tracker.observe(beacon(1000 + minor, at: Double(step) / 100 + (step.isMultiple(of: 2) ? 0 : 0.02)))
        }
        hear(&tracker, from: 60, through: 61)
        let readings = tracker.takeReadings()
        try #require(readings.count == 1)
        #expect(readings[0].subjects.count <= 3 * capacity)
        #expect(!readings[0].subjects.isEmpty)
        #expect(tracker.refusals.total > 1000)
        #expect(tracker.forgottenReadings > 0)
    }

    @Test(
        "However sightings, silences and clocks come, no adapter listens for longer than the minute, and nobody is lost"
    )
    func anyOrder() {
        var generator = SeededGenerator("readings")
        for _ in 0..<100 {
            var tracker = tracker()
            var seconds = 0.0
            var sent = 0
            var readings: [Readings] = []
            for _ in 0..<400 {
                seconds = max(0, seconds + .random(in: -3...5, using: &generator))
                if Int.random(in: 0..<50, using: &generator) == 0 { seconds = .random(in: 0...4000, using: &generator) }
                let adapter = Adapter(index: .random(in: 0...2, using: &generator))
                switch Int.random(in: 0..<6, using: &generator) {
                case 0: tracker.becameDeaf(adapter, at: Self.time(seconds))
                case 1: tracker.hearsAgain(adapter, at: Self.time(seconds))
                case 2: _ = tracker.deaf(adapter, for: .seconds(5), at: Self.time(seconds))
                case 3: _ = tracker.heard(by: adapter, until: Self.time(seconds))
                case 4: _ = tracker.received(by: adapter, at: Self.time(seconds))
                default:
                    // Those who have just left aren't here again before the second one.
                    let strays = tracker.refusals.strays
                    _ = tracker.observe(beacon(.random(in: 1...5, using: &generator), at: seconds, by: adapter))
                    sent += 1 - Int(tracker.refusals.strays) + Int(strays)
                }
                readings += tracker.takeReadings()
            }
            _ = tracker.endAll(at: Self.time(seconds), reason: .shutdown)
            readings += tracker.takeReadings()
            #expect(readings.reduce(0) { $0 + $1.subjects.reduce(0) { $0 + Int($1.count) } } == sent, generator.comment)
            for each in readings {
                let all = [each.listened] + each.adapters.map(\.listened)
                #expect(all.allSatisfy { $0 >= .zero && $0 <= .seconds(60) }, generator.comment)
                #expect(each.adapters.map(\.adapter.index) == each.adapters.map(\.adapter.index).sorted())
                #expect(Set(each.subjects.map(\.subject)).count == each.subjects.count)
            }
        }
    }
}
