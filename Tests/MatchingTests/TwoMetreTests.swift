import Matching
import TestValues
import Testing

@Suite("Within 2 m for 30 minutes of any 24 hours") struct TwoMetreTests {
    private let policy = Policy.named("two-metre-thirty")

    // Both within 0.55 m of the beacon: at most 1.1 m apart, so each minute counts whole. 20 + 10 minutes are 30.
    @Test func `Minutes of a day add up`() {
        let stays = [stay(1, 0...200, near(0.5)), stay(2, 0...20, near(0.5)), stay(2, 100...110, near(0.5))]
        #expect(policy.exposures(stays).map { ($0.minutes * 1000).rounded() / 1000 } == [30])
        #expect(policy.exposures(Array(stays.dropLast())).isEmpty)
    }

    // Each exactly 1 m away: they are within 2 m in all directions, cos(theta) = (1 + 1 - 4) / 2 = -1. At 2 m each,
    // cos(theta) = (4 + 4 - 4) / 8 = 0.5, so theta up to 60 of 180 degrees: one third. 90 minutes count as 30.
    @Test func `A minute counts by the probability that it was within 2 m`() throws {
        let exact = Stay.Distance(centimetres: 200, lower: 200, upper: 200)
        let stays = [stay(1, 0...91, exact), stay(2, 0...91, exact)]
        let exposure = try #require(policy.exposures(stays).first)
        #expect(abs(exposure.probability - 1.0 / 3) < 0.001)
        #expect(abs(exposure.minutes - 91.0 / 3) < 0.05)
        #expect(policy.exposures([stay(1, 0...89, exact), stay(2, 0...89, exact)]).isEmpty)
    }

    // 23:40 to 00:20 UTC, which is in the evening in Montreal: midnight divides nobody.
    @Test func `Who was near somebody over midnight was near them for all of it`() {
        let night: ClosedRange<Int64> = 940...980
        let exposures = policy.exposures([stay(1, night, near(0.5)), stay(2, night, near(0.5))])
        #expect(exposures.map { ($0.minutes * 1000).rounded() / 1000 } == [40])
        #expect(exposures.map(\.start) == [at(940)] && exposures.map(\.end) == [at(980)])
    }

    // 15 minutes, and 15 more that end 24 hours, or a minute more, after those began.
    @Test(arguments: [(Int64(1425), 1), (1426, 0)])
    func `Minutes count together that are within 24 hours`(second: Int64, count: Int) {
        let all: ClosedRange<Int64> = 0...3000
        let stays = [stay(1, all, near(0.5)), stay(2, 0...15, near(0.5)), stay(2, second...(second + 15), near(0.5))]
        #expect(policy.exposures(stays).count == count)
    }

    // 5 minutes that are a day before the rest don't keep the rest from being a contact.
    @Test func `No earlier minutes divide those that belong together`() {
        let all: ClosedRange<Int64> = 0...3000
        let stays =
            [stay(1, all, near(0.5))]
            + [0...5, 1430...1445, 1450...1465].map { stay(2, $0, near(0.5)) }
        #expect(policy.exposures(stays).map(\.start) == [at(1430)])
    }

    // By minutes: a day is a contact where some 24 hours of 1440 minutes have 30 of them.
    @Test func `Somebody is exposed exactly when some 24 hours have the minutes`() {
        var random = SeededGenerator("any 24 hours")
        for _ in 0..<300 {
            var minutes = Set<Int64>()
            for _ in 0..<Int.random(in: 1...6, using: &random) {
                let start = Int64.random(in: 0...3500, using: &random)
                minutes.formUnion(start..<(start + .random(in: 1...18, using: &random)))
            }
            let sorted = minutes.sorted()
            let isContact = sorted.contains { first in
                sorted.count { $0 >= first && $0 < first + 1440 } >= 30
            }
            var stays = [stay(1, 0...4000, near(0.5))]
            for minute in sorted where !minutes.contains(minute - 1) {
                var end = minute
                while minutes.contains(end) { end += 1 }
                stays.append(stay(2, minute...end, near(0.5)))
            }
            let exposures = policy.exposures(stays)
            #expect(exposures.isEmpty != isContact, random.comment)
            #expect(exposures.allSatisfy { $0.minutes > 29.999 && $0.end - $0.start <= 86_400 }, random.comment)
            #expect(zip(exposures, exposures.dropFirst()).allSatisfy { $0.end <= $1.start }, random.comment)
        }
    }
}
