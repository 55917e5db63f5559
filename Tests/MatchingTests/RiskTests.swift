import Matching
import Testing

@Suite struct RiskTests {
    private let policy = Policy.named("further")

    /// So many exposures of subject 2, a day apart, the last on day 0.
    private func exposures(_ count: Int64) -> [Exposure] {
        let stays = (0..<count).flatMap { day in
            [1, 2].map { stay($0, (-day * 1440)...(-day * 1440 + 10)) }
        }
        return policy.exposures(stays)
    }

    // Further: low without one, medium with at least one, high with three or more within 14 days.
    @Test(
        "Further counts exposures of 14 days",
        arguments: [(Int64(0), RiskLevel.low), (1, .medium), (2, .medium), (3, .high), (9, .high)])
    func levels(count: Int64, level: RiskLevel) {
        #expect(Risk(exposures(count), policy: policy, now: at(60)).level == level)
    }

    // Of three, one day apart, 13.99 days after the last the two before are older than 14 days.
    @Test func `What is longer ago doesn't count`() {
        let all = exposures(3)
        #expect(Risk(all, policy: policy, now: at(14 * 1440 - 10)).level == .medium)
        #expect(Risk(all, policy: policy, now: at(14 * 1440 - 10)).exposures.count == 1)
        #expect(Risk(all, policy: policy, now: at(15 * 1440)).level == .low)
    }

    @Test func `What is in the future doesn't count yet`() {
        #expect(Risk(exposures(1), policy: policy, now: at(-1)).level == .low)
    }

    // Two exposures of the same day: minutes add up across positives.
    @Test func `Daily minutes are those of the day that has most`() {
        let policy = Policy.named("en-v2")
        let stays = [stay(1, 0...6, near(0.5)), stay(2, 0...6, near(0.5))]
        let exposures = policy.exposures(stays)
        // 6 minutes below 55 dB (1.5 m) count 10.5: advisory. Twice that is 21: alert.
        #expect(Risk(exposures, policy: policy, now: at(60)).label == "advisory")
        #expect(Risk(exposures + exposures, policy: policy, now: at(60)).label == "alert")
    }
}
