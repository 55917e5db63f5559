import Matching
import TestValues
import Testing

@Suite("The bounds of what counts") struct BoundsTests {
    private func encounter(
        _ own: ClosedRange<Int64>, _ other: ClosedRange<Int64>, _ bounds: ClosedRange<Int64>
    ) -> Encounter? {
        Encounter(
            positive: stay(1, own), other: stay(2, other), separation: 0, window: 300, since: at(bounds.lowerBound),
            until: at(bounds.upperBound))
    }

    @Test(
        "A stay is cut at the bounds, and the policy's window doesn't reach beyond a cut",
        arguments: [
            // Stays from 0 to 60, asked for from 20 to 40.
            (0...60, 0...15, nil), (0...60, 0...19, nil), (0...60, 0...20, nil), (0...60, 0...21, [20, 21]),
            (0...60, 30...35, [30, 35]), (0...60, 39...50, [39, 40]), (0...60, 40...50, nil), (0...60, 41...50, nil),
            (0...60, 20...20, [20, 20]), (0...60, 40...40, [40, 40]),
            // One that came and left within the bounds has its window.
            (25...35, 0...20, [25, 25]), (25...35, 0...19, nil), (25...35, 40...50, [40, 40]), (25...35, 41...50, nil),
            // One that only touches a bound isn't there.
            (0...20, 0...60, nil), (40...60, 0...60, nil), (20...20, 0...60, [20, 20]),
        ] as [(ClosedRange<Int64>, ClosedRange<Int64>, [Int64]?)])
    func cuts(own: ClosedRange<Int64>, other: ClosedRange<Int64>, shared: [Int64]?) {
        let found = encounter(own, other, 20...40)
        #expect(found.map { [$0.start, $0.end] } == shared?.map(at))
    }

    @Test func `No time outside of the bounds is shared, and none within is lost`() {
        var random = SeededGenerator("bounds")
        func range() -> ClosedRange<Int64> {
            let start = Int64.random(in: 0...60, using: &random)
            return start...start + Int64.random(in: 0...40, using: &random)
        }
        for _ in 0..<2000 {
            let (own, other, bounds) = (range(), range(), range())
            let shared = (0..<200).count { minute in
                [own, other, bounds].allSatisfy { $0.lowerBound <= minute && minute + 1 <= $0.upperBound }
            }
            let found = encounter(own, other, bounds)
            #expect((found?.overlap ?? 0) == Int64(shared) * 60, random.comment)
        }
    }

    // Day 20759 is 2026-11-02, day 20760 begins after it.
    @Test func `The day of the test or of the onset decides which time counts`() {
        let day: Int64 = 86_400
        let received = 20_759 * day + 3600
        func window(_ onset: Int64?, _ test: Int64?) -> [Int64] {
            let window = PositiveCase(reportType: .confirmed, onset: onset, test: test)
                .window(lookback: 14, received: received)
            return [window.since, window.until]
        }
        #expect(window(nil, nil) == [received - 14 * day, received + 10 * day])
        #expect(window(nil, 20_700) == [20_686 * day, 20_711 * day - 1])
        #expect(window(20_700, nil) == window(nil, 20_700))
        #expect(window(20_700, 20_705) == [20_686 * day, 20_716 * day - 1])
        #expect(window(20_705, 20_700) == window(20_700, 20_705))
    }

    @Test func `A fixed subject is exposed to nobody and exposes nobody`() {
        let policy = Policy.named("six-metre-five-minute")
        let stays = [stay(1, 0...20), stay(2, 0...20), stay(3, 0...20)]
        #expect(policy.exposures(stays).map(\.subject) == [2, 3])
        #expect(policy.exposures(stays, fixed: [3]).map(\.subject) == [2])
        #expect(policy.exposures(stays, fixed: [1]).isEmpty)
    }

    @Test func `An exposure says when a clock that told of it wasn't synchronized`() {
        let policy = Policy.named("six-metre-five-minute")
        let exposure = policy.exposures([stay(1, 0...20), stay(2, 10...20)])[0]
        func missing(_ stay: Stay) -> [Explanation.Missing] {
            exposure.doubtingClocks([stay.subject: [stay]], own: [1], window: 300).explanation.missing
        }
        #expect(missing(stay(1, 0...20)) == [.clock])
        #expect(missing(stay(2, 10...20)) == [.clock])
        // At another place, at another time, and of somebody else.
        #expect(missing(stay(2, 10...20, place: 2)).isEmpty)
        #expect(missing(stay(1, 40...50)).isEmpty)
        #expect(missing(stay(3, 10...20)).isEmpty)
    }
}
