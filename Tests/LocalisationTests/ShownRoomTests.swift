import FloorPlans
import Testing

@testable import Localisation

@Suite("What is shown of a place")
struct ShownRoomTests {
    private func estimate(_ rooms: [(Int?, Double)], floor: Int = 0) -> Estimate {
        Estimate(
            floor: floor, floorProbability: 1,
            rooms: rooms.map { Estimate.RoomProbability(room: $0.0, probability: $0.1) },
            position: PlanPoint(x: 0, y: 0), radius: 1)
    }

    @Test("a room is said from a probability of one half on; below, the border of two rooms or the floor")
    func said() {
        var shown = ShownRoom()
        #expect(
            shown.update(estimate([(0, 0.45), (1, 0.4)]), time: 0, isAtRest: false)
                == .between(floor: 0, rooms: [0, 1]))
        #expect(shown.update(estimate([(0, 0.3), (1, 0.3), (2, 0.3)]), time: 1, isAtRest: false) == .floor(0))
        #expect(shown.update(estimate([(0, 0.5), (1, 0.5)]), time: 2, isAtRest: false) == .room(floor: 0, room: 0))
    }

    @Test("another room is shown after two seconds of a walk")
    func walk() {
        var shown = ShownRoom()
        _ = shown.update(estimate([(0, 0.9), (1, 0.1)]), time: 0, isAtRest: false)
        var places: [ShownRoom.Place] = []
        for time in [1.0, 2, 3] {
            places.append(shown.update(estimate([(1, 0.9), (0, 0.1)]), time: time, isAtRest: false))
        }
        #expect(places.last == .room(floor: 0, room: 1))
        #expect(!places.dropLast().contains(.room(floor: 0, room: 1)))
    }

    @Test("somebody at rest stays in the room, unless another one is nearly certain for a quarter of an hour")
    func rest() {
        var shown = ShownRoom()
        _ = shown.update(estimate([(0, 0.9), (1, 0.1)]), time: 0, isAtRest: true)
        for time in 1..<890 { _ = shown.update(estimate([(1, 0.97), (0, 0.03)]), time: Double(time), isAtRest: true) }
        #expect(shown.place != .room(floor: 0, room: 1))
        for time in 890..<920 {
            _ = shown.update(estimate([(1, 0.97), (0, 0.03)]), time: Double(time), isAtRest: true)
        }
        #expect(shown.place == .room(floor: 0, room: 1))
    }

    @Test("levels that stay the same are rest, and levels that change among receivers are movement")
    func stillness() {
        var stillness = Stillness()
        for second in 0..<70 { _ = stillness.update(TwoRooms.left, time: Double(second)) }
        var isAtRest = stillness.update(TwoRooms.left, time: 70)
        #expect(isAtRest)
        // The battery or a coat changes all levels alike.
        for second in 71..<100 { isAtRest = stillness.update(TwoRooms.signals(-70, -88, -84), time: Double(second)) }
        #expect(isAtRest)
        for second in 100..<120 { isAtRest = stillness.update(TwoRooms.right, time: Double(second)) }
        #expect(!isAtRest)
    }
}
