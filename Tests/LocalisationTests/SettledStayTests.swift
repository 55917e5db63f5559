import FloorPlans
import Testing

@testable import Localisation

@Suite("Settled stays")
struct SettledStayTests {
    private func squares(_ rooms: [(room: Int?, x: Double, probability: Double)]) -> SettledSquares {
        SettledSquares(
            rooms.map { LocatedStay.Square(floor: 0, room: $0.room, x: $0.x, y: 1, probability: $0.probability) },
            TwoRooms.model)
    }

    @Test("two in one room are as near as their positions, and two in different rooms are not near")
    func nearness() {
        let one = squares([(0, 1, 1)])
        #expect(one.nearness(to: squares([(0, 2, 1)]), within: 6).near == 1)
        #expect(one.nearness(to: squares([(0, 5, 1)]), within: 2) == .init(inOneHall: 1))
        #expect(one.nearness(to: squares([(1, 2, 1)]), within: 6) == SettledSquares.Nearness())
        let half = one.nearness(to: squares([(0, 1, 0.5), (1, 6, 0.5)]), within: 6).near
        #expect(abs(half - 0.5) < 0.01)
    }

    @Test("two between rooms can be near each other, and not near somebody in a room")
    func between() {
        #expect(squares([(nil, 1, 1)]).nearness(to: squares([(nil, 1, 1)]), within: 6).near == 1)
        #expect(squares([(nil, 1, 1)]).nearness(to: squares([(0, 1, 1)]), within: 6).near == 0)
    }

    @Test("in a room that is larger than a circle of the distance, positions do not tell")
    func hall() {
        let nearness = squares([(0, 1, 1)]).nearness(to: squares([(0, 1, 1)]), within: 2)
        #expect(nearness.near == 0 && nearness.inOneHall == 1 && nearness.nearInHall == 1)
    }

    @Test("what is stored comes back, and anything cut short is refused")
    func packed() throws {
        let stored = squares([(0, 1.2, 0.6), (1, 7.9, 0.3), (nil, 3, 0.1)])
        let bytes = stored.packed
        #expect(SettledSquares(packed: bytes) == stored)
        // Whole squares can be missing.
        for length in 0..<bytes.count where bytes.count - length > 18 || !(bytes.count - length).isMultiple(of: 6) {
            #expect(SettledSquares(packed: Array(bytes[..<length])) == nil, "\(length)")
        }
        // A square of a room that is not listed.
        var wrong = bytes
        wrong[bytes.count - 6] = 9
        #expect(SettledSquares(packed: wrong) == nil)
    }

    @Test("a room is named from one half on")
    func named() throws {
        func stay(_ probability: Double) -> SettledStay {
            let estimate = Estimate(
                floor: 0, floorProbability: 1,
                rooms: [.init(room: 1, probability: probability), .init(room: 0, probability: 1 - probability)],
                position: PlanPoint(x: 7, y: 2), radius: 2)
            return SettledStay(
                LocatedStay(start: 60, end: 120, estimate: estimate, squares: []), TwoRooms.model, surveyed: [0])
        }
        #expect(stay(0.6).room == "right" && stay(0.6).probability == 0.6)
        #expect(stay(0.49).room == nil && stay(0.49).probability == 1)
        #expect(stay(0.6).floor == "s/b/0" && stay(0.6).isSurveyed)
    }
}
