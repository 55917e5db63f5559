import Matching
import Testing

@Suite struct StayDepthTests {
    private func stays(_ count: Int, each step: Int64, length: Int64, of subject: Int64 = 1, at place: Int64 = 7)
        -> [Stay]
    {
        (0..<Int64(count)).map {
            Stay(subject: subject, place: place, start: $0 * step, end: $0 * step + length, distance: nil)
        }
    }

    @Test func `A place at which somebody is told to be 17 times at once is crowded`() {
        #expect(StayDepth(stays(17, each: 1, length: 100)).crowdedPlaces == [7])
        #expect(StayDepth(stays(16, each: 1, length: 100)).crowdedPlaces.isEmpty)
    }

    @Test func `Any number of stays after each other is nothing, and so are those of several subjects and places`() {
        #expect(StayDepth(stays(1000, each: 100, length: 100)).crowdedPlaces.isEmpty)
        #expect(StayDepth(stays(1000, each: 1, length: 0)).crowdedPlaces.isEmpty)
        let spread = (1...10).flatMap { stays(10, each: 1, length: 100, of: $0, at: $0 % 2) }
        #expect(StayDepth(spread).crowdedPlaces.isEmpty)
    }
}
