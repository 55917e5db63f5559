import Glibc
import Matching
import TestValues
import Testing

@Suite("How many are in a room") struct OccupancyTests {
    @Test func `Nobody heard is nobody there`() {
        let nobody = Occupancy([])
        #expect(nobody.expected == 0 && nobody.lower == 0 && nobody.upper == 0)
    }

    @Test func `Who is certainly there is counted without a doubt`() {
        #expect(Occupancy([1, 1, 1, 0, 0]) == Occupancy([1, 1, 1]))
        #expect(Occupancy([1, 1, 1]).lower == 3)
        #expect(Occupancy([1, 1, 1]).upper == 3)
    }

    // Two with one half each: 0, 1, 2 with 1/4, 1/2, 1/4. Up to 0 there are 25 %, more than 5 %; up to 1 there are 75 %,
    // less than 95 %.
    @Test func `Two who are as likely there as not are between none and two`() {
        let two = Occupancy([0.5, 0.5])
        #expect(two.expected == 1)
        #expect(two.lower == 0)
        #expect(two.upper == 2)
    }

    // Ten with 0.9 each is binomial: P(<= 7) = 0.0702, P(<= 6) = 0.0128; P(<= 9) = 0.651. The 5 % quantile is 7, the 95 % 10.
    @Test func `Ten of nine tenths are seven to ten`() {
        let ten = Occupancy([Double](repeating: 0.9, count: 10))
        #expect(abs(ten.expected - 9) < 1e-9)
        #expect(ten.lower == 7)
        #expect(ten.upper == 10)
    }

    // 2000 with one half: 1000 with a deviation of sqrt(500) = 22.36, times 1.645 is 36.8.
    @Test func `A crowd is nearly normal`() {
        let crowd = Occupancy([Double](repeating: 0.5, count: 2000))
        #expect(crowd.lower == 963)
        #expect(crowd.upper == 1037)
    }

    @Test func `The bounds hold as often as they say`() {
        var random = SeededGenerator("people in a room")
        var inside = 0
        for _ in 0..<400 {
            let probabilities = (0..<Int.random(in: 1...30, using: &random)).map { _ in
                Double.random(in: 0...1, using: &random)
            }
            let occupancy = Occupancy(probabilities)
            let there = probabilities.count { Double.random(in: 0..<1, using: &random) < $0 }
            if (occupancy.lower...occupancy.upper).contains(there) { inside += 1 }
        }
        // At least 90 %, since counts are whole; three standard deviations of 400 tries are 4.5 %.
        #expect(inside >= 342, random.comment)
    }

    // The median is at the radius: as likely inside as not. The upper bound is at it: 95 % are within.
    @Test func `A distance gives the probability of being within a radius`() throws {
        let stay = Stay(
            subject: 1, place: 1, start: 0, end: 1, distance: .init(centimetres: 200, lower: 100, upper: 400))
        #expect(abs(try #require(stay.probability(within: 200)) - 0.5) < 1e-6)
        #expect(abs(try #require(stay.probability(within: 400)) - 0.95) < 1e-6)
        #expect(abs(try #require(stay.probability(within: 100)) - 0.05) < 1e-6)
    }

    @Test func `Somebody heard in three rooms is one person`() {
        let shares = RoomShares.normalized(["a": 0.9, "b": 0.9, "c": 0.2])
        #expect(abs(shares.values.reduce(0, +) - 1) < 1e-9)
        #expect(RoomShares.normalized(["a": 0.4, "b": 0.1]) == ["a": 0.4, "b": 0.1])
    }
}
