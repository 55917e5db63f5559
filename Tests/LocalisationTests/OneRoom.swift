import FloorPlans

@testable import Localisation

/// A room in the middle of a floor, with two receivers inside, two outside at its walls, and one far away.
enum OneRoom {
    static let plan = FloorPlan(
        site: "s", building: "b", floor: "0", outline: TwoRooms.rectangle(0, 0, 20, 10),
        rooms: [FloorPlan.Room(name: "room", polygon: TwoRooms.rectangle(3, 3, 6, 4))],
        doors: [FloorPlan.Door(position: PlanPoint(x: 6, y: 3))])

    static let receivers = [
        PlanPoint(x: 4, y: 5), PlanPoint(x: 8, y: 5), PlanPoint(x: 4, y: 2), PlanPoint(x: 8, y: 2),
        PlanPoint(x: 19, y: 5),
    ].enumerated().map { ReceiverSite(path: "s/b/0/\($0)", floor: 0, position: $1) }

    static let model = BuildingModel(plans: [plan], receivers: receivers)

    static func signals(inside: Double, outside: Double) -> [HeardSignal] {
        [inside, inside - 4, outside, outside - 4].enumerated().map { HeardSignal(receiver: $0, rssi: $1, count: 4) }
    }

    /// A distribution with a probability of the room, alike within it and around it.
    static func floors(inside share: Float) -> [[Float]?] {
        let grid = model.grids[0]
        let cells = Float(grid.inside.count { grid.rooms[Int($0)] == 0 })
        var values = [Float](repeating: 0, count: grid.padded)
        for index in grid.inside.map(Int.init) {
            values[index] = grid.rooms[index] == 0 ? share / cells : (1 - share) / (Float(grid.inside.count) - cells)
        }
        return [values]
    }

    /// Returns the probability of the room.
    static func share(_ floors: [[Float]?]) -> Double {
        Estimate(model, floors, flattening: 1)?.rooms.first { $0.room == 0 }?.probability ?? 0
    }
}
