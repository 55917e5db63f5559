import BeaconModel
import Glibc
import TestValues
import Testing

@testable import Proximity

@Suite("SocialDistanceWatch")
struct SocialDistanceWatchTests {
    private typealias Badge = (subject: BeaconID, distance: DistanceEstimate, lastSeenAt: Timestamp)

    private var watch = SocialDistanceWatch()

    /// Heard at the time of the update.
    private func badge(_ minor: UInt16, _ metres: Double, at seconds: Double, deviation: Double = 0.3) -> Badge {
        let reach = exp(1.644_853_626_951_472_7 * deviation)
        let distance = DistanceEstimate(
            metres: metres, lower: metres / reach, upper: metres * reach,
            probabilityWithin: Within(threeMetres: 0, sixMetres: 0))
        return (Sightings.beacon(minor), distance, Sightings.time(seconds))
    }

    /// Updates each second of pairs at distances that a function of the second gives.
    private mutating func run(
        _ seconds: ClosedRange<Int>, _ distances: (Int) -> [(UInt16, Double)]
    ) -> [SocialDistanceEvent] {
        seconds.flatMap { second in
            let badges = distances(second).map { badge($0, $1, at: Double(second)) }
            return watch.update(badges, at: Sightings.time(Double(second)))
        }
    }

    @Test("Two that are near each other for ten seconds are an alert, which ends ten seconds after they part")
    mutating func lifeCycle() throws {
        let events = run(0...60) { [(2, 0.8), (1, $0 < 30 ? 0.7 : 9)] }
        #expect(events.map(\.kind) == [.started, .ended])
        let (started, ended) = (try #require(events.first), try #require(events.last))
        #expect(started.time == Sightings.time(10))
        #expect(started.since == Sightings.time(0))
        #expect(started.until == nil && started.reason == nil)
        #expect(started.first == Sightings.beacon(1) && started.second == Sightings.beacon(2))
        #expect(started.firstDistance.metres == 0.7 && started.secondDistance.metres == 0.8)
        #expect(started.distance.metres > 0.5 && started.distance.metres < 1.5)
        #expect(ended.time == Sightings.time(40))
        #expect(ended.since == Sightings.time(0))
        #expect(ended.until == Sightings.time(30))
        #expect(ended.reason == .apart)
        let near = MutualDistance.probability(
            within: 2, badge(1, 0.7, at: 0).distance, badge(2, 0.8, at: 0).distance)
        #expect(abs(ended.peakProbability - near) < 1e-9)
        #expect(abs(ended.meanProbability - near) < 1e-9)
        #expect(watch.count == 0)
    }

    @Test("Two who pass each other are no alert")
    mutating func passing() {
        #expect(run(0...60) { [(1, 0.5), (2, (10...18).contains($0) ? 0.6 : 8)] } == [])
    }

    @Test("Two who aren't heard again aren't near each other for longer")
    mutating func silent() {
        let badges = [badge(1, 0.5, at: -1), badge(2, 0.5, at: -1)]
        for second in 0...40 { #expect(watch.update(badges, at: Sightings.time(Double(second))) == []) }
    }

    @Test("A probability that varies about the threshold makes one alert")
    mutating func hysteresis() {
        var generator = SeededGenerator("noisy probabilities")
        // At 1.2 m the probability is above one half, and with the noise it is below at times.
        let farthest = badge(1, 1.45, at: 0).distance
        #expect(MutualDistance.probability(within: 2, farthest, farthest) < 0.5)
        let events = run(0...3600) { second in
            let spread = second < 15 ? 0.0 : 0.25
            return [
                (1, 1.2 + Double.random(in: -spread...spread, using: &generator)),
                (2, 1.2 + Double.random(in: -spread...spread, using: &generator)),
            ]
        }
        #expect(events.map(\.kind) == [.started], generator.comment)
    }

    @Test("Below the threshold and above the release an alert goes on, but none begins")
    mutating func between() {
        let middle = MutualDistance.probability(
            within: 2, badge(1, 1.6, at: 0).distance, badge(2, 1.6, at: 0).distance)
        #expect((0.36..<0.49).contains(middle))
        #expect(run(0...60) { _ in [(1, 1.6), (2, 1.6)] } == [])
        #expect(run(61...300) { [(1, $0 < 80 ? 0.8 : 1.6), (2, $0 < 80 ? 0.8 : 1.6)] }.map(\.kind) == [.started])
    }

    @Test("A moment apart doesn't end an alert, and counts in its mean")
    mutating func moment() throws {
        var events = run(0...60) { [(1, 0.7), (2, (30..<35).contains($0) ? 9 : 0.7)] }
        #expect(events.map(\.kind) == [.started])
        events = watch.endAll(at: Sightings.time(61))
        let ended = try #require(events.first)
        #expect(ended.reason == .shutdown && ended.until == Sightings.time(61))
        #expect(abs(ended.meanProbability - ended.peakProbability * 56 / 61) < 1e-9)
        #expect(watch.endAll(at: Sightings.time(62)) == [])
    }

    @Test("A badge that departs ends its alerts, as of when it was last seen")
    mutating func departure() throws {
        var events = run(0...20) { _ in [(1, 0.5), (2, 0.5), (3, 0.6)] }
        #expect(events.map(\.kind) == [.started, .started, .started])
        for second in 21...49 {
            let badges = [
                badge(1, 0.5, at: Double(second)), badge(2, 0.5, at: 20), badge(3, 0.6, at: Double(second)),
            ]
            #expect(watch.update(badges, at: Sightings.time(Double(second))) == [])
        }
        events = run(50...50) { _ in [(1, 0.5), (3, 0.6)] }
        #expect(events.map(\.reason) == [.departed, .departed])
        #expect(events.map { [$0.first, $0.second] } == [[1, 2], [2, 3]].map { $0.map(Sightings.beacon) })
        #expect(events.allSatisfy { $0.until == Sightings.time(20) && $0.time == Sightings.time(50) })
        #expect(watch.count == 1)
    }

    @Test("A clock that is set back ends all alerts, and they begin anew")
    mutating func clockSetBack() {
        _ = run(1000...1020) { _ in [(1, 0.5), (2, 0.5)] }
        let events = run(100...110) { _ in [(1, 0.5), (2, 0.5)] }
        #expect(events.map(\.kind) == [.ended, .started])
        #expect(events.first?.reason == .lost)
        #expect(events.first?.until == Sightings.time(1020))
        #expect(events.last?.since == Sightings.time(100))
    }

    @Test("The order of the badges doesn't matter")
    func order() {
        var generator = SeededGenerator("orders of badges")
        var rules = SocialDistanceRules()
        rules.capacity = 8
        rules.mostPairs = 5
        var (one, other) = (SocialDistanceWatch(rules: rules), SocialDistanceWatch(rules: rules))
        var events = 0
        var distances = (0..<20).map { _ in Double.random(in: 0.3...3, using: &generator) }
        for second in 0...600 {
            if second % 20 == 0 {
                for _ in 0..<4 {
                    let index = Int.random(in: 0..<20, using: &generator)
                    distances[index] = Double.random(in: 0.3...3, using: &generator)
                }
            }
            // Some equally far, and some not here.
            let badges = distances.enumerated().filter { second / 50 % 20 != $0.offset }
                .map { badge(UInt16($0.offset), ($0.element * 2).rounded() / 2 + 0.2, at: Double(second)) }
            let found = one.update(badges, at: Sightings.time(Double(second)))
            let shuffled = other.update(badges.shuffled(using: &generator), at: Sightings.time(Double(second)))
            #expect(found == shuffled, generator.comment)
            events += found.count
        }
        #expect(one.refused == other.refused && one.refused > 0, generator.comment)
        #expect(events > 20, generator.comment)
    }

    @Test("Of more badges than there is room for the nearest are compared, and alerts that were begun go on")
    mutating func capacity() {
        var rules = SocialDistanceRules()
        rules.capacity = 3
        watch = SocialDistanceWatch(rules: rules)
        let events = run(0...20) { _ in [(1, 0.9), (2, 0.8), (3, 0.7), (4, 0.6)] }
        #expect(events.map { [$0.first.minor, $0.second.minor] } == [[2, 3], [2, 4], [3, 4]])
        // Another one comes nearer than all: its alerts begin and nobody's end.
        let later = run(21...60) { _ in [(1, 0.5), (2, 0.8), (3, 0.7), (4, 0.6)] }
        #expect(later.map(\.kind) == [.started, .started])
        #expect(later.map { [$0.first.minor, $0.second.minor] } == [[1, 3], [1, 4]])
    }

    @Test("Pairs beyond the most are counted once and not followed")
    mutating func mostPairs() {
        let events = run(0...30) { _ in (1...40).map { (UInt16($0), 0.5 + Double($0) / 1000) } }
        #expect(events.count == 512)
        #expect(events.allSatisfy { $0.kind == .started })
        #expect(watch.count == 512)
        #expect(watch.refused == UInt64(40 * 39 / 2 - 512))
        #expect(watch.endAll(at: Sightings.time(31)).count == 512)
    }

    @Test("Whoever is passed over for being far from the gateway is probably near nobody")
    func prefilter() {
        for probability in [0.1, 0.2, 0.35, 0.5, 0.8] {
            var rules = SocialDistanceRules()
            rules.probability = probability
            let lower = rules.farthestLowerBound
            for deviation in [0.05, 0.2, 0.5, 1] {
                let median = lower * exp(1.644_853_626_951_472_7 * deviation) * 1.001
                for step in 1...60 {
                    let found = MutualDistance.probability(
                        within: 2, badge(1, median, at: 0, deviation: deviation).distance,
                        badge(2, median * Double(step) / 40, at: 0, deviation: 0.02).distance)
                    #expect(found < probability)
                }
            }
        }
    }

    @Test("What isn't an estimate begins no alert, and ends one after a while")
    mutating func impossible() {
        var wrong = badge(2, 0.5, at: 0)
        wrong.distance.metres = .nan
        wrong.distance.lower = .nan
        #expect(run(0...20) { _ in [(1, 0.5), (2, 0.5)] }.count == 1)
        var events: [SocialDistanceEvent] = []
        for second in 21...40 {
            events += watch.update([badge(1, 0.5, at: Double(second)), wrong], at: Sightings.time(Double(second)))
        }
        #expect(events.map(\.reason) == [.apart])
        #expect(events.first?.until == Sightings.time(21))
        #expect(events.first?.secondDistance.metres == 0.5)
    }

    @Test("Rules out of bounds are brought within them")
    func rules() {
        var rules = SocialDistanceRules()
        rules.distance = .nan
        rules.probability = .infinity
        rules.hold = .seconds(-5)
        rules.capacity = .min
        rules.mostPairs = .max
        let bounded = rules.bounded
        #expect(bounded.distance == 2 && bounded.probability == 0.5 && bounded.hold == .zero)
        #expect(bounded.capacity == 2 && bounded.mostPairs == 65_536)
    }
}
