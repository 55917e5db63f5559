import Matching
import Testing

/// The rule of the iBeacon seed: two people within 3 m of one beacon are within 6 m of each other; 5 minutes.
@Suite("Within 6 m in a 5-minute window") struct SixMetreTests {
    private let policy = Policy.named("six-metre-five-minute")

    // The positive is 2 m from the beacon from minute 0 to 20, the other 1 m from it from minute 10 to 30. They share 10 to
    // 20, that is 10 minutes; at 2 m (1.8 to 2.2) and 1 m (0.9 to 1.1) they are at least 1.8 - 1.1 = 0.7 m and at most
    // 2.2 + 1.1 = 3.3 m apart, so surely within 6 m.
    @Test func `Two who are within 3 m of a beacon at the same time are exposed for the time they share`() throws {
        let exposures = policy.exposures([stay(1, 0...20, near(2)), stay(2, 10...30)])
        let exposure = try #require(exposures.first)
        #expect(exposures.count == 1)
        #expect(exposure.subject == 2)
        #expect(exposure.place == 1)
        #expect(exposure.start == at(10))
        #expect(exposure.end == at(20))
        #expect(exposure.minutes == 10)
        #expect(exposure.sharedSeconds == 600)
        #expect(exposure.range == 70...330)
        #expect(exposure.probability == 1)
        #expect(exposure.explanation.missing.isEmpty)
    }

    // 3.01 m is beyond the 3 m of the seed's rule, whoever it is.
    @Test func `Whoever is beyond 3 m of the beacon isn't exposed and exposes nobody`() {
        #expect(policy.exposures([stay(1, 0...20, near(3.01)), stay(2, 0...20)]).isEmpty)
        #expect(policy.exposures([stay(1, 0...20), stay(2, 0...20, near(3.01))]).isEmpty)
        #expect(policy.exposures([stay(1, 0...20, near(3)), stay(2, 0...20, near(3))]).count == 1)
    }

    @Test(
        "The other may come up to 5 minutes after the positive has left, or have left before",
        arguments: [(25, true), (26, false), (-5, true), (-6, false)])
    func window(minute: Int64, isExposed: Bool) throws {
        let other = minute > 0 ? stay(2, minute...minute + 5) : stay(2, minute - 5...minute)
        let exposures = policy.exposures([stay(1, 0...20), other])
        #expect(exposures.count == (isExposed ? 1 : 0))
        let window = exposures.first?.explanation.windows.first
        // They shared no time, and the explanation says so: 5 minutes lay between them.
        #expect(window.map { [$0.distances?.apart ?? -1, $0.end - $0.start] } ?? [300, 0] == [300, 0])
    }

    // A gateway cuts a long interaction every 30 minutes: 0 to 30 and 30 to 50, shared with 10 to 45.
    @Test func `A stay that was cut in parts is one exposure`() throws {
        let exposures = policy.exposures([stay(1, 0...30), stay(1, 30...50), stay(2, 10...45)])
        #expect(exposures.map(\.minutes) == [35])
        #expect(exposures.first?.explanation.windows.map { $0.end - $0.start } == [2100])
    }

    @Test func `Two gateways that hear the same two people don't double the time`() {
        let stays = [1, 2].flatMap { [stay(1, 0...20, place: $0), stay(2, 0...20, place: $0)] }
        #expect(policy.exposures(stays).map(\.sharedSeconds) == [1200])
    }

    // 6 minutes lie between 0...20 and 26...40.
    @Test func `Meetings more than 5 minutes apart are exposures of their own`() {
        let exposures = policy.exposures([stay(1, 0...60), stay(2, 0...20), stay(2, 26...40)])
        #expect(exposures.map(\.minutes) == [20, 14])
    }

    @Test func `Without a distance there is no contact, and the explanation of others says what was missing`() {
        #expect(policy.exposures([stay(1, 0...20), stay(2, 0...20, nil)]).isEmpty)
        let exposures = policy.exposures([
            stay(1, 0...20), stay(2, 0...10), stay(2, 30...40, nil), stay(2, 15...18, nil),
        ])
        #expect(exposures.first?.explanation.missing == [.distances(1)])
    }

    // Beacons 2 m apart; each person 1 m from their own: 1 + 2 + 1 = 4 m at most. With 5 m between them, 7 m.
    @Test func `People at neighbouring places are exposed when all distances together are within 6 m`() {
        let stays = [stay(1, 0...20), stay(2, 0...20, place: 2)]
        let exposures = policy.exposures(stays, separation: [[1, 2]: 200])
        #expect(exposures.map(\.place) == [2])
        #expect(exposures.first?.explanation.windows.first?.distances?.positivePlace == 1)
        // 0.9 to 1.1 m each: from 2 - 1.1 - 1.1 = 0 (not negative) to 2 + 1.1 + 1.1 = 4.2 m.
        #expect(exposures.first?.range == 0...420)
        #expect(policy.exposures(stays, separation: [[1, 2]: 500]).isEmpty)
        #expect(policy.exposures(stays).isEmpty)
    }

    @Test func `Beacons that hang there, the positive's own devices and unconfirmed reports expose nobody`() {
        let stays = [stay(1, 0...20), stay(2, 0...20), stay(3, 0...20)]
        #expect(policy.exposures(stays, fixed: [3]).map(\.subject) == [2])
        let own = Assessment(policy: policy, positive: PositiveCase(reportType: .confirmed), own: [1, 2])
        #expect(own.exposures(policy.encounters(stays)).map(\.subject) == [3])
        #expect(policy.exposures(stays, positive: PositiveCase(reportType: .selfReported)).isEmpty)
    }
}
