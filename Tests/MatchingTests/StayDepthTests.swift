import Matching
import Testing

@Suite struct StayDepthTests {
    private func stays(
        _ count: Int, each step: Int64, length: Int64, of subject: Int64 = 1, at place: Int64 = 7, by source: Int64 = 3
    ) -> [(stay: Stay, source: Int64)] {
        (0..<Int64(count)).map {
            (
                stay: Stay(subject: subject, place: place, start: $0 * step, end: $0 * step + length, distance: nil),
                source: source
            )
        }
    }

    @Test func `Who tells that somebody is 17 times at a place at once crowds it`() {
        #expect(StayDepth(stays(17, each: 1, length: 100)).crowding == [3])
        #expect(StayDepth(stays(16, each: 1, length: 100)).crowding.isEmpty)
    }

    @Test
    func `Any number of stays after each other is nothing, and so are those of several subjects, places or gateways`() {
        #expect(StayDepth(stays(1000, each: 100, length: 100)).crowding.isEmpty)
        #expect(StayDepth(stays(1000, each: 1, length: 0)).crowding.isEmpty)
        let spread = (1...10).flatMap { stays(10, each: 1, length: 100, of: $0, at: $0 % 2) }
        let told = (1...10).flatMap { stays(10, each: 1, length: 100, by: $0) }
        #expect(StayDepth(told).crowding.isEmpty)
        #expect(StayDepth(spread).crowding.isEmpty)
    }
}
