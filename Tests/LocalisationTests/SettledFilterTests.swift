import FloorPlans
import Testing

@testable import Localisation

@Suite("Where a subject was")
struct SettledFilterTests {
    @Test("each window is settled once, in order, ten seconds late or at the end")
    func order() {
        var filter = SettledFilter(TwoRooms.model)
        var scratch = FilterScratch()
        var times: [Double] = []
        for second in 0..<60 {
            for settled in filter.add(
                TwoRooms.model, HeardWindow(end: Double(second), signals: TwoRooms.left), scratch: &scratch)
            {
                #expect(settled.time + SettledFilter.future <= Double(second))
                times.append(settled.time)
            }
        }
        times += filter.finish(TwoRooms.model, scratch: &scratch).map(\.time)
        #expect(times == (0..<60).map(Double.init))
    }

    @Test("what is heard afterwards decides where somebody was in a doubtful second")
    func future() throws {
        let doubtful = TwoRooms.signals(-69, -69, -74)
        var filter = SettledFilter(TwoRooms.model)
        var scratch = FilterScratch()
        var settled: [SettledEstimate] = []
        for second in 0..<40 {
            // In the right room from second 11 on; nothing tells it in second 10.
            let signals = second < 4 ? TwoRooms.left : second < 8 ? doubtful : TwoRooms.right
            settled += filter.add(
                TwoRooms.model, HeardWindow(end: Double(second), signals: signals), scratch: &scratch)
        }
        let live = try #require(TwoRooms.estimate(TwoRooms.filter(doubtful, seconds: 1)))
        let late = try #require(settled.first { $0.time == 7 }).estimate
        func right(_ estimate: Estimate) -> Double { estimate.rooms.first { $0.room == 1 }?.probability ?? 0 }
        #expect(right(late) > right(live))
    }

    @Test("a gap ends what can be settled")
    func gap() {
        var filter = SettledFilter(TwoRooms.model)
        var scratch = FilterScratch()
        for second in 0..<5 {
            _ = filter.add(TwoRooms.model, HeardWindow(end: Double(second), signals: TwoRooms.left), scratch: &scratch)
        }
        let settled = filter.add(
            TwoRooms.model, HeardWindow(end: 100, signals: TwoRooms.right), scratch: &scratch)
        #expect(settled.map(\.time) == [0, 1, 2, 3, 4])
        #expect(settled.allSatisfy { $0.estimate.best.room == 0 })
    }

    @Test("windows that do not go on in time are ignored")
    func backwards() {
        var filter = SettledFilter(TwoRooms.model)
        var scratch = FilterScratch()
        for time in [5.0, 5, 4, .nan, -1] {
            _ = filter.add(TwoRooms.model, HeardWindow(end: time, signals: TwoRooms.left), scratch: &scratch)
        }
        let settled = filter.finish(TwoRooms.model, scratch: &scratch)
        #expect(settled.map(\.time) == [5])
    }
}
