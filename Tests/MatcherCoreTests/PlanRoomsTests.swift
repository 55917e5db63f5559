import FloorPlans
import Localisation
import Matching
import Testing

@testable import MatcherCore

@Suite("Rooms of plans for attendance") struct PlanRoomsTests {
    private static func plan(_ floor: String, _ rooms: [String]) -> FloorPlan {
        let outline = PlanPolygon([PlanPoint(x: 0, y: 0), PlanPoint(x: 9, y: 0), PlanPoint(x: 9, y: 9)])
        return FloorPlan(
            site: "s", building: "b", floor: floor, outline: outline,
            rooms: rooms.map { FloorPlan.Room(name: $0, polygon: outline) })
    }

    private static func located(_ times: Range<Int64>, _ room: String?, floor: String = "s/b/1") -> SettledStay {
        SettledStay(
            start: times.lowerBound, end: times.upperBound, floor: floor, room: room, probability: 0.9,
            position: PlanPoint(x: 1, y: 1), radius: 1, isSurveyed: false, rooms: SettledSquares())
    }

    private static func stay(_ subject: Int64, _ times: Range<Int64>) -> Stay {
        Stay(
            subject: subject, place: 3, start: times.lowerBound, end: times.upperBound,
            distance: .init(centimetres: 200, lower: 100, upper: 400))
    }

    @Test func `A name denotes the room that has it, and none if two have it`() {
        let rooms = PlanRooms([Self.plan("1", ["Lab", "Aula"]), Self.plan("2", ["Lab"])])
        #expect(rooms.room("aula") == .init(floor: "s/b/1", name: "Aula"))
        #expect(rooms.room("Lab") == nil)
        #expect(rooms.room(nil) == nil)
    }

    @Test func `Somebody located is where the plan says, and others are where their distances say`() {
        let room = PlanRooms.Room(floor: "s/b/1", name: "Aula")
        let stays = PlanRooms.stays(
            [Self.stay(1, 0..<100), Self.stay(2, 0..<100)],
            located: [
                1: [Self.located(20..<40, "Lab"), Self.located(40..<60, "Aula")],
                3: [Self.located(0..<50, "Aula", floor: "s/b/2")],
            ], in: room)
        #expect(stays.filter { $0.subject == 2 } == [Self.stay(2, 0..<100)])
        #expect(stays.filter { $0.subject == 1 && $0.place == 3 } == [Self.stay(1, 0..<20), Self.stay(1, 60..<100)])
        // A stay without a room says nothing, so that distances count.
        #expect(
            PlanRooms.stays([Self.stay(1, 0..<100)], located: [1: [Self.located(0..<100, nil)]], in: room)
                == [Self.stay(1, 0..<100)])
        let inside = stays.filter { $0.distance?.centimetres == 0 }
        #expect(inside.map(\.subject) == [1] && inside.first?.start == 40 && inside.first?.end == 60)
    }
}
