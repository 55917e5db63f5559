import Testing

@testable import ContactsBenchmark

@Suite("Co-location alone") struct CoLocationTests {
    private func stay(
        _ person: Int, at gateway: Int, _ seconds: ClosedRange<Int64>, rssi: Int64 = -60
    ) -> CoLocation.Stay {
        .init(person: person, gateway: gateway, start: seconds.lowerBound, end: seconds.upperBound, rssi: rssi)
    }

    // 0...100 and 60...200 at one gateway, and 80...150 with 0...90 at another: together from 60 to 100, of which 80 to 90
    // is known twice.
    @Test func `A second at two gateways counts once`() {
        let together = CoLocation(
            [stay(0, at: 1, 0...100), stay(1, at: 1, 60...200), stay(0, at: 2, 80...150), stay(1, at: 2, 0...90)],
            people: 3)
        #expect(together[0, 1] == .init(together: 40, apart: 0))
        #expect(together[1, 0] == together[0, 1])
        #expect(together[0, 2] == .init())
    }

    @Test func `Who comes after the other has left is apart by the time between`() {
        let together = CoLocation([stay(0, at: 1, 0...100), stay(1, at: 1, 350...400)], people: 2)
        #expect(together[0, 1] == .init(together: 0, apart: 250))
    }

    // Heard by gateway 1 from 0 to 100 and, 10 dB better, by gateway 2 from 40 to 60.
    @Test func `Everybody is nearest to the gateway that hears them best at the time`() {
        let nearest = CoLocation.nearest([stay(0, at: 1, 0...100, rssi: -60), stay(0, at: 2, 40...60, rssi: -50)])
        #expect(
            nearest == [
                stay(0, at: 1, 0...40, rssi: -60), stay(0, at: 2, 40...60, rssi: -50),
                stay(0, at: 1, 60...100, rssi: -60),
            ])
    }
}
