import Matching
import TestValues
import Testing

@Suite struct MinutePlacesTests {
    private let block = ReadingBlock(number: 2_000_000)

    /// Receivers 1 to 4 are on a floor, 11 to 14 on another; the place of each is a hundred more.
    private func places(_ minutes: [[(receiver: Int64, rssi: Double)]]) -> MinutePlaces {
        let receivers = (1...4).map { (Int64($0), Int64(0)) } + (11...14).map { (Int64($0), Int64(1)) }
        var vectors = BlockVectors()
        for (minute, heard) in minutes.enumerated() {
            for (receiver, rssi) in heard {
                vectors.add(Hearing(receiver: receiver, code: HearingCode(count: 60, rssi: rssi)), inMinute: minute)
            }
        }
        return MinutePlaces(
            vectors: [block: vectors],
            places: Dictionary(uniqueKeysWithValues: receivers.map { ($0.0, $0.0 + 100) }),
            floors: ListeningFloors(Dictionary(uniqueKeysWithValues: receivers)))
    }

    @Test func `Each minute is at the receiver that heard somebody loudest, in whatever order it is asked for`() {
        var places = places([[(1, -60), (2, -70)], [(1, -75), (2, -65)]])
        let times = [block.start, block.start + 60, block.start + 119, block.start]
        #expect(times.map { places.place(at: $0) } == [101, 102, 102, 101])
    }

    @Test func `A receiver of another floor moves nobody to its place, however loud it is`() {
        var places = places([[(1, -60), (2, -62), (11, -30)]])
        #expect(places.place(at: block.start) == 101)
    }

    @Test func `Nowhere is where nobody was heard`() {
        var places = places([[(1, -60)], []])
        #expect(places.place(at: block.start + 60) == 0)
        #expect(places.place(at: block.end) == 0)
    }
}
