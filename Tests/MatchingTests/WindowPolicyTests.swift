import Matching
import OperatorText
import Testing

/// Golden vectors from the constants that were published.
@Suite("Weighted windows") struct WindowPolicyTests {
    /// At the beacon itself: the other's distance from it is that of the two.
    private let none = Stay.Distance(centimetres: 1, lower: 1, upper: 1)

    private func exactly(_ metres: Double) -> Stay.Distance {
        let centimetres = Int64((metres * 100).rounded())
        return .init(centimetres: centimetres, lower: centimetres, upper: centimetres)
    }

    /// What a policy counts of somebody's stays, in minutes, beside one who is positive at the beacon itself.
    private func minutes(
        _ name: String, _ stays: [(minutes: ClosedRange<Int64>, metres: Double)], onset: Int64? = nil
    ) -> Double {
        let others = stays.map { stay(2, $0.minutes, exactly($0.metres)) }
        let positive = PositiveCase(reportType: .confirmed, onset: onset.map { at(0) / 86_400 + $0 })
        return Policy.named(name).exposures([stay(1, 0...120, none)] + others, positive: positive)
            .reduce(0) { $0 + $1.minutes }
    }

    // Narrow Net v2: up to 55 dB 175 %, to 67 dB 100 %, to 75 dB 33 %, beyond 0 %; by the path loss 50.9 + 24.7 log10(d)
    // these are 1.47 m, 4.49 m and 9.46 m. 20 minutes.
    @Test(
        "en-v2 weighs by attenuation",
        arguments: [(0.2, 35), (1.4, 35), (1.5, 20), (4.4, 20), (4.6, 6.6), (9.4, 6.6), (9.6, 0), (30, 0)])
    func exposureNotifications(metres: Double, expected: Double) {
        #expect(abs(minutes("en-v2", [(0...20, metres)]) - expected) < 1e-6)
    }

    // From app 1.15: below 63 dB 0.8, below 73 dB 1.0, below 79 dB 0.1, beyond nothing: 3.09 m, 7.85 m and 13.73 m.
    @Test(
        "cwa-1.15 weighs by attenuation",
        arguments: [(0.2, 16), (3, 16), (3.2, 20), (7.8, 20), (7.9, 2), (13.6, 2), (13.8, 0), (30, 0)])
    func coronaWarn(metres: Double, expected: Double) {
        #expect(abs(minutes("cwa-1.15", [(0...20, metres)]) - expected) < 1e-6)
    }

    // 5 minutes at 1 m, 5 at 3 m, 3 at 7 m, 5 at 12 m: 5 * 1.75 + 5 * 1 + 3 * 0.33 + 0 = 14.74.
    @Test func `A day of en-v2 is the weighted time of its distances`() {
        let stays: [(ClosedRange<Int64>, Double)] = [(0...5, 1), (10...15, 3), (20...23, 7), (30...35, 12)]
        #expect(abs(minutes("en-v2", stays) - 14.74) < 1e-6)
        // Three days before the onset infectiousness is standard: 30 %.
        #expect(abs(minutes("en-v2", stays, onset: 3) - 4.422) < 1e-6)
    }

    // 10 minutes at 2 m, 5 at 4 m, 5 at 10 m: 10 * 0.8 + 5 * 1.0 + 5 * 0.1 = 13.5; by transmission risk level 8 (factor 1.6)
    // 21.6.
    @Test func `A day of cwa-1.15 is weighted by the transmission risk level`() {
        let stays: [(ClosedRange<Int64>, Double)] = [(0...10, 2), (20...25, 4), (30...35, 10)]
        #expect(abs(minutes("cwa-1.15", stays) - 13.5) < 1e-6)
        #expect(abs(minutes("cwa-1.15", stays, onset: 0) - 21.6) < 1e-6)
    }

    // Both 3 m from the beacon, in directions that nobody knows: they are within r of each other with a probability of
    // 2 asin(r / 6) / pi. For r = 3.0895 m (63 dB) that is 0.34436, and they are never 7.85 m apart:
    // 20 * (0.34436 * 0.8 + 0.65564 * 1.0) = 18.6226.
    @Test func `A distance on both sides of a threshold counts by its probabilities`() throws {
        let stays = [stay(1, 0...20, exactly(3)), stay(2, 0...20, exactly(3))]
        let exposure = try #require(Policy.named("cwa-1.15").exposures(stays).first)
        #expect(abs(exposure.minutes - 18.6226) < 0.001)
    }

    // Windows of 30, 30 and 10 minutes, each minute 1.0: those of fewer than 15 minutes don't count.
    @Test func `Windows that are too short for a policy don't count`() {
        var policy = Policy.named("en-v2")
        policy.attenuation?.leastWindowMinutes = 15
        let stays = [stay(1, 0...70, none), stay(2, 0...70, exactly(3))]
        #expect(abs((policy.exposures(stays).first?.minutes ?? 0) - 60) < 1e-6)
    }

    // High from two days before to three days after the onset, standard for two days on either side.
    @Test(
        "en-v2's infectiousness by the days since the onset",
        arguments: [(-5, 0), (-4, 0.3), (-3, 0.3), (-2, 1), (0, 1), (3, 1), (4, 0.3), (5, 0.3), (6, 0)])
    func infectiousness(days: Int64, weight: Double) {
        #expect(Policy.named("en-v2").infectiousness.weight(days: days) == weight)
    }

    // Levels 1 to 8 have the factors 0, 0, .6, .8, 1, 1.2, 1.4, 1.6; the levels from 5 days before the onset to 7 after it
    // are 2, 4, 6, 7, 8, 8, 8, 6, 5, 3, 2, 2, 1.
    @Test func `cwa-1.15's infectiousness is the factor of the day's transmission risk level`() {
        let factors = [0, 0, 0.6, 0.8, 1, 1.2, 1.4, 1.6]
        let levels = [2, 4, 6, 7, 8, 8, 8, 6, 5, 3, 2, 2, 1]
        for (index, level) in levels.enumerated() {
            let days = Int64(index) - 5
            #expect(Policy.named("cwa-1.15").infectiousness.weight(days: days) == factors[level - 1], "day \(days)")
        }
    }

    // 50.9 + 24.7 log10(d): 1.5 m 55.2 dB, 3 m 62.7 dB, 8 m 73.2 dB, within half a decibel of what is published.
    @Test(arguments: [(55, 1.5), (63, 3), (73, 8)])
    func `The path loss meets the published distances`(attenuation: Double, metres: Double) throws {
        for name in ["en-v2", "cwa-1.15"] {
            let loss = try #require(Policy.named(name).attenuation?.pathLoss)
            let ratio = loss.distance(of: attenuation) / metres
            #expect((0.95...1.05).contains(ratio))
        }
    }

    // All of it below 63 dB (3.1 m): 0.8 a minute. 12 minutes on the day of the onset: 12 * 0.8 * 1.6 = 15.36.
    @Test func `A day's minutes of a close contact follow from distance, infectiousness and report`() throws {
        let policy = Policy.named("cwa-1.15")
        let day = at(0) / 86_400
        let stays = [stay(1, 0...12, near(0.5)), stay(2, 0...12, near(0.5))]
        let known = PositiveCase(reportType: .confirmed, onset: day)
        let exposure = try #require(policy.exposures(stays, positive: known).first)
        #expect(abs(exposure.minutes - 15.36) < 0.001)
        #expect(exposure.explanation.infectiousness == 1.6)
        #expect(Risk([exposure], policy: policy, now: at(60)).label == "red")
        // Six days before it nothing follows.
        #expect(policy.exposures(stays, positive: PositiveCase(reportType: .confirmed, onset: day + 6)).isEmpty)
        // The test stands in for the onset.
        #expect(policy.exposures(stays, positive: PositiveCase(reportType: .confirmed, test: day)).count == 1)
    }

    // 23:54 to 00:06 UTC is in the evening in Montreal: 12 * 0.8 = 9.6 on one day there, and twice 4.8 on days of UTC.
    @Test func `A day is one of the site's time zone`() {
        var policy = Policy.named("cwa-1.15")
        let evening: ClosedRange<Int64> = 954...966
        let stays = [stay(1, evening, near(0.5)), stay(2, evening, near(0.5))]
        #expect(Risk(policy.exposures(stays), policy: policy, now: at(2000)).label == "no risk encounter")
        policy.days = CalendarDays(name: "America/Montreal", offset: -5 * 3600)
        #expect(policy.exposures(stays).count == 1)
        #expect(Risk(policy.exposures(stays), policy: policy, now: at(2000)).label == "red")
        // On the day there: the day after the onset counts 1.6, and two days after it 1.2.
        let onset = PositiveCase(reportType: .confirmed, onset: at(0) / 86_400 - 1)
        #expect(policy.exposures(stays, positive: onset).first?.explanation.infectiousness == 1.6)
    }

    // The first five minutes are five days before the onset, when nobody is infectious.
    @Test func `An episode over midnight counts for its infectious part`() {
        var policy = Policy.named("cwa-1.15")
        policy.contact.period = .episode(gap: 300)
        let positive = PositiveCase(reportType: .confirmed, onset: at(0) / 86_400 + 5)
        let night: ClosedRange<Int64> = 955...975
        let exposures = policy.exposures([stay(1, night, near(0.5)), stay(2, night, near(0.5))], positive: positive)
        // 15 minutes at 0.8, four days before the onset: 0.8.
        #expect(exposures.map { ($0.minutes * 1000).rounded() / 1000 } == [9.6])
    }

    // Unknown counts 1: 12 * 0.8 = 9.6.
    @Test func `An unknown onset is said to be missing`() throws {
        let policy = Policy.named("cwa-1.15")
        let exposures = policy.exposures([stay(1, 0...12, near(0.5)), stay(2, 0...12, near(0.5))])
        let exposure = try #require(exposures.first)
        #expect(abs(exposure.minutes - 9.6) < 0.001)
        #expect(exposure.explanation.missing == [.onset])
    }

    // 70 minutes are 30 + 30 + 10.
    @Test func `Windows are half an hour long at most`() throws {
        let exposures = Policy.named("en-v2").exposures([stay(1, 0...70, near(0.5)), stay(2, 0...70, near(0.5))])
        #expect(exposures.first?.explanation.windows.map { ($0.end - $0.start) / 60 } == [30, 30, 10])
    }
}
