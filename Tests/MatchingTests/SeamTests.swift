import Matching
import TestValues
import Testing

@Suite("Stays in parts") struct SeamTests {
    private let policy = Policy.named("six-metre-five-minute")

    private func encounter(
        _ own: ClosedRange<Int64>, _ other: ClosedRange<Int64>, presence: ClosedRange<Int64>
    ) -> Encounter? {
        Encounter(
            positive: stay(1, own), other: stay(2, other), separation: 0, window: 300, since: at(20), until: at(40),
            presence: at(presence.lowerBound)...at(presence.upperBound))
    }

    @Test func `A part that begins after a bound is no arrival when the presence began before it`() {
        #expect(encounter(22...60, 0...18, presence: 22...60) != nil)
        #expect(encounter(22...60, 0...18, presence: 0...60) == nil)
        #expect(encounter(22...60, 0...21, presence: 0...60) != nil)
    }

    @Test func `A part that ends before a bound is no departure when the presence ended after it`() {
        #expect(encounter(25...38, 41...50, presence: 25...38) != nil)
        #expect(encounter(25...38, 41...50, presence: 25...60) == nil)
        #expect(encounter(25...38, 39...50, presence: 25...60) != nil)
    }

    @Test func `Parts that meet or overlap at one place are one presence`() {
        let stays = [
            stay(1, 30...40), stay(1, 0...10), stay(1, 10...30, near(4)), stay(1, 41...50), stay(1, 12...15),
            stay(1, 40...45, place: 2), stay(2, 40...41),
        ]
        let presences = Presences(stays)
        func minutes(_ stay: Stay) -> ClosedRange<Int64> {
            let span = presences.span(of: stay)
            return (span.lowerBound - at(0)) / 60...(span.upperBound - at(0)) / 60
        }
        #expect(minutes(stays[0]) == 0...40)
        #expect(minutes(stays[2]) == 0...40)
        #expect(minutes(stays[3]) == 41...50)
        #expect(minutes(stays[5]) == 40...45)
        #expect(minutes(stay(3, 0...5)) == 0...5)
    }

    @Test func `Encounters of unknown distance are counted once, in however many parts`() {
        let known = [stay(1, 0...20), stay(2, 5...20)]
        let whole = [stay(1, 30...60, nil), stay(2, 40...50, nil)]
        let parts = [stay(1, 30...42, nil), stay(1, 42...45, nil), stay(1, 45...60, nil), stay(2, 40...50, nil)]
        #expect(policy.exposures(known + parts) == policy.exposures(known + whole))
        #expect(policy.exposures(known + parts).first?.explanation.missing == [.distances(1)])
    }

    // Subject 2 ranged twice, at 0 and at 4 minutes; subject 1 is there until 30.
    @Test func `At a seam nobody was there after somebody, at whatever distance each part is`() {
        let others = [stay(2, 0...0), stay(2, 4...4)]
        let whole = policy.exposures([stay(1, 0...30)] + others)
        let parts = policy.exposures([stay(1, 0...6, near(1.1)), stay(1, 6...30)] + others)
        #expect(parts.map { [$0.start, $0.end] } == whole.map { [$0.start, $0.end] })
        #expect(parts.first?.explanation.windows.count == 1)
    }
}
