import BeaconModel
import Testing

@testable import Proximity

@Suite("LeakyBucket")
struct LeakyBucketTests {
    private var bucket = LeakyBucket(perSecond: 10, depth: 8)

    @Test("It holds what was added and forgets it at its rate")
    mutating func rate() {
        for _ in 0..<4 { bucket.add(at: Sightings.time(0)) }
        #expect(bucket.holds(4, at: Sightings.time(0)))
        #expect(!bucket.holds(5, at: Sightings.time(0)))
        #expect(!bucket.holds(4, at: Sightings.time(0.1)))
        #expect(bucket.holds(3, at: Sightings.time(0.1)))
        #expect(!bucket.holds(1, at: Sightings.time(0.4)))
    }

    @Test("It holds no more than its depth")
    mutating func depth() {
        for _ in 0..<1000 { bucket.add(at: Sightings.time(0)) }
        #expect(bucket.holds(8, at: Sightings.time(0)))
        #expect(!bucket.holds(9, at: Sightings.time(0)))
        #expect(!bucket.holds(1, at: Sightings.time(0.8)))
    }
}
