import Matching
import Testing

/// Golden vectors from the constants that were published.
@Suite("Weighted windows") struct WindowPolicyTests {
    // Narrow Net v2: up to 55 dB 175 %, to 67 dB 100 %, to 75 dB 33 %, beyond 0 %.
    @Test(
        "en-v2 weighs by attenuation",
        arguments: [(30, 1.75), (55, 1.75), (55.1, 1), (67, 1), (67.1, 0.33), (75, 0.33), (75.1, 0)])
    func exposureNotifications(attenuation: Double, weight: Double) throws {
        let rule = try #require(Policy.named("en-v2").attenuation)
        #expect(rule.weight(of: attenuation) == weight)
    }

    // From app 1.15: below 63 dB 0.8, below 73 dB 1.0, below 79 dB 0.1, beyond nothing.
    @Test(
        "cwa-1.15 weighs by attenuation",
        arguments: [(30, 0.8), (62.9, 0.8), (63, 1), (72.9, 1), (73, 0.1), (78.9, 0.1), (79, 0)])
    func coronaWarn(attenuation: Double, weight: Double) throws {
        let rule = try #require(Policy.named("cwa-1.15").attenuation)
        #expect(rule.weight(of: attenuation) == weight)
    }

    // 300 s at 50 dB, 300 s at 60 dB, 180 s at 70 dB, 300 s at 80 dB:
    // (300 * 1.75 + 300 * 1 + 180 * 0.33 + 0) / 60 = (525 + 300 + 59.4) / 60 = 14.74 minutes.
    @Test func `A window of en-v2 is the weighted time of its scans`() throws {
        let rule = try #require(Policy.named("en-v2").attenuation)
        let scans: [AttenuationRule.Scan] = [
            .init(attenuation: 50, seconds: 300), .init(attenuation: 60, seconds: 300),
            .init(attenuation: 70, seconds: 180), .init(attenuation: 80, seconds: 300),
        ]
        #expect(abs(rule.minutes(of: scans) - 14.74) < 1e-9)
        // Standard infectiousness is 30 %.
        #expect(abs(rule.minutes(of: scans, infectiousness: 0.3) - 4.422) < 1e-9)
    }

    // (600 * 0.8 + 300 * 1.0 + 300 * 0.1) / 60 = 13.5 minutes; by transmission risk level 8 (factor 1.6) 21.6.
    @Test func `A window of cwa-1.15 is weighted by the transmission risk level`() throws {
        let rule = try #require(Policy.named("cwa-1.15").attenuation)
        let scans: [AttenuationRule.Scan] = [
            .init(attenuation: 55, seconds: 300), .init(attenuation: 62, seconds: 300),
            .init(attenuation: 63, seconds: 300), .init(attenuation: 78, seconds: 300),
        ]
        #expect(abs(rule.minutes(of: scans) - 13.5) < 1e-9)
        #expect(abs(rule.minutes(of: scans, infectiousness: 1.6) - 21.6) < 1e-9)
    }

    @Test func `A scan vouches for 5 minutes at most, and for no negative time`() throws {
        let rule = try #require(Policy.named("en-v2").attenuation)
        #expect(rule.minutes(of: [.init(attenuation: 60, seconds: 3600)]) == 5)
        #expect(rule.minutes(of: [.init(attenuation: 60, seconds: -3600)]) == 0)
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
