import Matching
import Testing

@Suite struct ReachTallyTests {
    @Test func `Badge minutes are counted by the receivers in reach, and by the one that heard them loudest`() throws {
        let floors = ListeningFloors([1: 0, 2: 0, 3: 0, 4: 0, 5: 0])
        func vector(_ receivers: ClosedRange<Int64>) -> MinuteVector {
            MinuteVector(
                receivers.map { Hearing(receiver: $0, code: HearingCode(count: 50, rssi: -50 - 5 * Double($0))) })
        }
        var tally = ReachTally()
        for receivers in [1...1, 1...2, 1...3, 2...3, 1...5] as [ClosedRange<Int64>] {
            tally.add(vector(receivers), floors)
        }
        let floor = try #require(tally.floors[0])
        #expect(floor.minutes == [1, 2, 1, 1])
        #expect(floor.loudest[1] == .some(.init(minutes: 4, thin: 2)))
        #expect(floor.loudest[2] == .some(.init(minutes: 1, thin: 1)))
    }
}
