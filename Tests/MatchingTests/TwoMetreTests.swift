import Matching
import Testing

@Suite("Within 2 m for 30 minutes of a day") struct TwoMetreTests {
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

    // 23:40 to 00:20 is 20 minutes of each day.
    @Test func `A day ends at midnight UTC`() {
        let night: ClosedRange<Int64> = 940...980
        #expect(policy.exposures([stay(1, night, near(0.5)), stay(2, night, near(0.5))]).isEmpty)
    }
}
