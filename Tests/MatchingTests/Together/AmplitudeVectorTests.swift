import Glibc
import TestValues
import Testing

@testable import Matching

@Suite struct AmplitudeVectorTests {
    /// Two floors of four receivers each: 1 to 4 and 11 to 14.
    private let floors = ListeningFloors(
        Dictionary(
            uniqueKeysWithValues: (1...4).map { (Int64($0), Int64(0)) } + (11...14).map { (Int64($0), Int64(1)) }))

    private func vector(_ heard: [(receiver: Int64, count: Double, rssi: Double)]) -> MinuteVector {
        MinuteVector(heard.map { Hearing(receiver: $0.receiver, code: HearingCode(count: $0.count, rssi: $0.rssi)) })
    }

    private func direction(_ heard: [(receiver: Int64, count: Double, rssi: Double)]) throws -> AmplitudeVector {
        try #require(AmplitudeVector(vector(heard), floors))
    }

    @Test func `The similarity is the cosine of the amplitudes`() throws {
        let one = try direction([(1, 60, -60), (2, 60, -66)])
        let other = try direction([(1, 60, -70), (2, 60, -64)])
        let (a, b) = ((1.0, pow(10, -6.0 / 20)), (pow(10, -6.0 / 20), 1.0))
        let expected = (a.0 * b.0 + a.1 * b.1) / ((a.0 * a.0 + a.1 * a.1) * (b.0 * b.0 + b.1 * b.1)).squareRoot()
        #expect(abs(try #require(one.similarity(to: other)) - expected) < 0.0005)
    }

    @Test(arguments: [-12.0, -3, 5, 9.5])
    func `A badge that is louder or weaker than another is as similar`(offset: Double) throws {
        let heard: [(receiver: Int64, count: Double, rssi: Double)] = [(1, 50, -62), (2, 40, -71), (3, 30, -80)]
        let other = try direction(heard.map { ($0.receiver, $0.count, $0.rssi + offset) })
        #expect(try #require(try direction(heard).similarity(to: other)) > 0.9999)
    }

    @Test func `A receiver that heard somebody rarely counts less`() throws {
        let often = try direction([(1, 60, -60), (2, 60, -60)])
        let rarely = try direction([(1, 60, -60), (2, 6, -60)])
        #expect(try #require(often.similarity(to: often)) > 0.9999)
        // 6 of 60 are a tenth, and count 0.1 / 0.3 of the amplitude.
        let third = 6.0 / 60 / 0.3
        let expected = (1 + third) / (2 * (1 + third * third)).squareRoot()
        #expect(abs(try #require(often.similarity(to: rarely)) - expected) < 0.02)
    }

    @Test func `Subjects on different floors aren't compared`() throws {
        let below = try direction([(1, 60, -60), (2, 60, -70), (11, 20, -85)])
        let above = try direction([(11, 60, -60), (12, 60, -70), (1, 20, -85)])
        #expect(below.similarity(to: above) == nil)
        #expect((below.floor, above.floor) == (0, 1))
    }

    @Test func `Two whom only one receiver hears are in the same area, and no more is known`() throws {
        let one = try direction([(1, 60, -60)])
        #expect(one.similarity(to: try direction([(1, 60, -50)])) == nil)
        #expect(try #require(one.similarity(to: try direction([(1, 60, -60), (2, 60, -90)]))) > 0.99)
    }

    @Test func `On a floor with one receiver nobody is like anybody`() throws {
        let floors = ListeningFloors([1: 0, 11: 1, 12: 1])
        let heard = vector([(1, 60, -60), (11, 20, -85), (12, 20, -86)])
        let direction = try #require(AmplitudeVector(heard, floors))
        #expect(direction.isAlone)
        #expect(direction.similarity(to: direction) == nil)
    }

    @Test func `A receiver that was deaf is left out of both`() throws {
        let heard = vector([(1, 60, -60), (2, 60, -61), (3, 60, -62)])
        let direction = try #require(AmplitudeVector(heard, ListeningFloors([1: 0, 3: 0])))
        #expect(direction.components.map(\.receiver) == [1, 3])
        #expect(AmplitudeVector(heard, ListeningFloors([11: 1])) == nil)
    }

    // Receiver 1 says that it heard somebody loudly; others of its floor hear them weakly, through the ceiling.
    @Test func `One receiver can't move anybody to its floor, nor outweigh theirs`() throws {
        let honest = vector([(2, 20, -85), (11, 60, -60), (12, 60, -70), (13, 60, -80)])
        let forged = vector([(1, 60, -25), (2, 20, -85), (11, 60, -60), (12, 60, -70), (13, 60, -80)])
        let direction = try #require(AmplitudeVector(forged, floors))
        #expect((direction.floor, direction.loudest, direction.loudestOfFloor) == (1, 1, 11))
        #expect(try #require(AmplitudeVector(honest, floors)?.similarity(to: direction)) > 0.95)
    }

    @Test func `Somebody is on a floor with one receiver when that hears them loudest by 10 dB`() throws {
        let floors = ListeningFloors([1: 0, 11: 1, 12: 1, 13: 1])
        #expect(AmplitudeVector(vector([(1, 60, -60), (11, 20, -76), (12, 20, -85)]), floors)?.floor == 0)
        #expect(AmplitudeVector(vector([(1, 60, -70), (11, 20, -76), (12, 20, -85)]), floors)?.floor == 1)
        // However loud it claims to have heard somebody whom others hear near them.
        #expect(AmplitudeVector(vector([(1, 60, -10), (11, 20, -70), (12, 20, -85)]), floors)?.floor == 1)
    }

    // One gateway claimed everybody for its floor, and hid them from those who were with them.
    @Test(
        "Where one gateway can have decided on which floor somebody is, the floor where others heard them is possible too",
        arguments: [
            // Of the first floor, with one gateway: it hears loudest of all, and louder than several hear near them.
            ([(1, -60), (11, -76), (12, -85)], 0, [1]), ([(1, -10), (11, -70), (12, -85)], 1, [0]),
            // Two heard them louder than anybody else.
            ([(1, -80), (11, -60), (12, -70)], 1, []),
            // One gateway near on each floor; and one that hears only what two ceilings let through.
            ([(1, -50), (21, -40)], 2, [0]), ([(1, -60), (21, -80)], 0, []),
            // Two heard them, if only far away, and one elsewhere near.
            ([(1, -60), (11, -84), (12, -88)], 0, [1]),
            // A lie beside what a ceiling lets through.
            ([(1, -50), (11, -5), (12, -88)], 1, [0]),
        ] as [([(receiver: Int64, rssi: Double)], Int64, [Int64])])
    func alternatives(heard: [(receiver: Int64, rssi: Double)], floor: Int64, others: [Int64]) throws {
        let floors = ListeningFloors([1: 0, 11: 1, 12: 1, 21: 2])
        let all = try #require(AmplitudeVector.all(vector(heard.map { ($0.receiver, 60, $0.rssi) }), floors))
        #expect(all.main.floor == floor && all.alternatives.map(\.floor) == others)
    }

    @Test func `A gateway with all its remote receivers is one voice, and can't move anybody either`() throws {
        let places = (1...4).map { (Int64($0), ListeningFloors.Place(floor: 0, gateway: 1)) }
        let floors = ListeningFloors(
            Dictionary(
                uniqueKeysWithValues: places + [11, 12].map { ($0, ListeningFloors.Place(floor: 1, gateway: $0)) }))
        let forged = (1...4).map { (receiver: Int64($0), count: 1400.0, rssi: -10.0) }
        let direction = try #require(AmplitudeVector(vector(forged + [(11, 60, -60), (12, 60, -70)]), floors))
        #expect(direction.floor == 1 && direction.components.map(\.receiver) == [1, 2, 3, 4, 11, 12])
        let honest = try #require(AmplitudeVector(vector([(11, 60, -60), (12, 60, -70)]), floors))
        #expect(try #require(direction.similarity(to: honest)) > 0.95)
        // On a floor of its own it tells rooms apart by its remote receivers.
        let own = try #require(AmplitudeVector(vector(forged), floors))
        #expect(own.floor == 0 && !own.isAlone)
    }

    private func power(_ components: some Sequence<AmplitudeVector.Component>) -> Double {
        components.reduce(0) { $0 + Double($1.amplitude) * Double($1.amplitude) }
    }

    @Test func `A gateway of another floor has at most a tenth of the power with all its remote receivers`() throws {
        let places = [1, 2].map { (Int64($0), ListeningFloors.Place(floor: 0, gateway: 1)) }
        let own = [11, 12].map { (Int64($0), ListeningFloors.Place(floor: 1, gateway: Int64($0))) }
        let floors = ListeningFloors(Dictionary(uniqueKeysWithValues: places + own))
        let heard = vector([(1, 60, -60), (2, 60, -66), (11, 60, -60), (12, 60, -60)])
        let components = try #require(AmplitudeVector(heard, floors)).components
        #expect(abs(power(components.prefix(2)) / power(components.suffix(2)) - 0.1) < 0.0001)
        let ratio = Double(components[1].amplitude) / Double(components[0].amplitude)
        #expect(abs(ratio - pow(10, -6.0 / 20)) < 0.001)
    }

    @Test func `What gateways of another floor heard through the ceiling counts whole`() throws {
        let heard = vector([(1, 60, -72), (2, 60, -76), (11, 60, -60), (12, 60, -63)])
        let direction = try #require(AmplitudeVector(heard, floors))
        let asOneFloor = try #require(AmplitudeVector(heard, ListeningFloors([1: 1, 2: 1, 11: 1, 12: 1])))
        #expect(direction.components == asOneFloor.components)
    }

    // Each of two has an amplitude of 1 and a lie of the root of 0.1, so the product is c + 0.1 and the norms are 1.1.
    @Test func `A lie of another floor's gateway makes two a little more alike, and never less`() throws {
        let one: [(receiver: Int64, count: Double, rssi: Double)] = [(11, 60, -60), (12, 60, -70), (13, 60, -90)]
        let other: [(receiver: Int64, count: Double, rssi: Double)] = [(11, 60, -68), (12, 60, -64), (13, 60, -90)]
        let truth = try #require(try direction(one).similarity(to: try direction(other)))
        let lie = [(receiver: Int64(1), count: 60.0, rssi: -20.0)]
        let alike = try #require(try direction(lie + one).similarity(to: try direction(lie + other)))
        #expect(alike > truth && abs(alike - (truth + 0.1) / 1.1) < 0.001)
        let unlike = try #require(try direction(lie + one).similarity(to: try direction(other)))
        #expect(abs(unlike - truth) < 0.001)
        // With a remote receiver for each of them, too.
        let remote = try #require(
            try direction([(1, 60, -20)] + one).similarity(to: try direction([(2, 60, -20)] + other)))
        #expect(remote >= truth / 1.1.squareRoot() - 0.001)
    }

    // Only one gateway of their floor is near them: what others hear says too much to do without.
    @Test func `A lie makes two less alike by a tenth at most where one gateway of their floor is near them`() throws {
        let one: [(receiver: Int64, count: Double, rssi: Double)] = [(11, 60, -60), (12, 60, -76)]
        let other: [(receiver: Int64, count: Double, rssi: Double)] = [(11, 60, -64), (12, 60, -76)]
        let truth = try #require(try direction(one).similarity(to: try direction(other)))
        let unlike = try #require(
            try direction([(1, 60, -20)] + one).similarity(to: try direction([(2, 60, -20)] + other)))
        #expect(abs(unlike - truth / 1.1) < 0.001)
    }

    @Test func `The order in which receivers are given changes nothing`() throws {
        var random = SeededGenerator("orders of receivers")
        for _ in 0..<200 {
            let heard = (1...4).map { receiver in
                (
                    receiver: Int64(receiver), count: Double(1 + random.next() % 80),
                    rssi: -90 + Double(random.next() % 500) / 10
                )
            }
            let other = heard.map { ($0.receiver, $0.count, $0.rssi + Double(random.next() % 100) / 10) }
            let expected = try direction(heard).similarity(to: try direction(other))
            let shuffled = try direction(heard.shuffled(using: &random))
            #expect(shuffled.similarity(to: try direction(other.shuffled(using: &random))) == expected, random.comment)
            #expect(try direction(other).similarity(to: shuffled) == expected, random.comment)
        }
    }
}

extension ListeningFloors {
    /// Gateways without remote receivers.
    ///
    /// - Parameter floors: by receiver.
    init(_ floors: [Int64: Int64]) {
        self.init(
            Dictionary(uniqueKeysWithValues: floors.map { ($0.key, Place(floor: $0.value, gateway: $0.key)) }))
    }
}
