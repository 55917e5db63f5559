import Matching
import OperatorText
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

    /// Exposures of one day each, in weighted minutes; days before the last one.
    private func exposures(_ minutes: [(daysAgo: Int64, minutes: Double)]) -> [Contribution] {
        minutes.map { .init(start: at(-$0.daysAgo * 1440), end: at(-$0.daysAgo * 1440 + 20), minutes: $0.minutes) }
    }

    private struct Contribution: RiskContribution {
        var start: Int64
        var end: Int64
        var minutes: Double
    }

    // Narrow Net v2: an advisory from 5 weighted minutes of a day, an alert from 15.
    @Test(
        "en-v2 advises from 5 minutes of a day and alerts from 15",
        arguments: [
            (0, "none", RiskLevel.low, 0), (4.99, "none", .low, 0), (5, "advisory", .medium, 1),
            (14.99, "advisory", .medium, 1), (15, "alert", .high, 1), (600, "alert", .high, 1),
        ])
    func exposureNotifications(minutes: Double, label: String, level: RiskLevel, told: Int) {
        let risk = Risk(exposures([(0, minutes)]), policy: .named("en-v2"), now: at(60))
        #expect((risk.label, risk.level) == (label, level) && risk.exposures.count == told)
        // Fewer minutes than a risk aren't told in any way.
        #expect(risk.value == (told > 0 ? minutes : 0))
    }

    // Corona-Warn-App from 1.15: green from 5 normalised minutes of a day, red from 9; 10 days.
    @Test(
        "cwa-1.15 is green from 5 minutes of a day and red from 9",
        arguments: [
            (4.9, "no risk encounter", RiskLevel.low, 0), (5, "green", .low, 1), (8.99, "green", .low, 1),
            (9, "red", .high, 1),
        ])
    func coronaWarn(minutes: Double, label: String, level: RiskLevel, told: Int) {
        let risk = Risk(exposures([(0, minutes)]), policy: .named("cwa-1.15"), now: at(60))
        #expect((risk.label, risk.level) == (label, level) && risk.exposures.count == told)
    }

    // 4 + 4 + 4 = 12 on one day; 4 on each of three days stay 4.
    @Test func `Minutes of several reports add up to their day, and not to others`() {
        let policy = Policy.named("cwa-1.15")
        let day = Risk(exposures([(0, 4), (0, 4), (0, 4)]), policy: policy, now: at(60))
        #expect(day.label == "red" && day.value == 12 && day.exposures.count == 3)
        let days = Risk(exposures([(0, 4), (1, 4), (2, 4)]), policy: policy, now: at(60))
        #expect(days.label == "no risk encounter" && days.value == 0 && days.exposures.isEmpty)
    }

    @Test func `A day with a risk doesn't tell of another day's few minutes`() {
        let risk = Risk(exposures([(0, 9), (1, 4)]), policy: .named("cwa-1.15"), now: at(60))
        #expect(risk.exposures == exposures([(0, 9)]))
    }

    // 09:00 of the day 0 is less than 10 days after 08:20 of the day -9, more than after that of the day -10.
    @Test func `Corona-Warn-App looks 10 days back`() {
        let policy = Policy.named("cwa-1.15")
        #expect(Risk(exposures([(9, 20)]), policy: policy, now: at(60)).label == "red")
        let old = Risk(exposures([(10, 20)]), policy: policy, now: at(60))
        #expect(old.label == "no risk encounter" && old.exposures.isEmpty)
    }

    // Each report's 5 minutes below 63 dB count 5 * 0.8 = 4: three of them on a day are red, one is nothing.
    @Test func `Reports that say little each are a risk together`() {
        let policy = Policy.named("cwa-1.15")
        let found = (0..<3).flatMap { report in
            policy.exposures([
                stay(1, (report * 60)...(report * 60 + 5), near(0.5)),
                stay(2, (report * 60)...(report * 60 + 5), near(0.5)),
            ])
        }
        #expect(found.count == 3)
        #expect(Risk(found, policy: policy, now: at(600)).label == "red")
        #expect(policy.risk.told(Array(found.prefix(1)), days: .utc).isEmpty)
    }
}
