import FloorPlans
import Testing

@testable import Localisation

@Suite("Cells of a floor")
struct FloorGridTests {
    @Test("cells belong to rooms, to the floor between them, or to nothing")
    func rooms() throws {
        var plan = TwoRooms.plan
        plan.outline = PlanPolygon([
            PlanPoint(x: 0, y: 0), PlanPoint(x: 10, y: 0), PlanPoint(x: 10, y: 7), PlanPoint(x: 6, y: 7),
            PlanPoint(x: 6, y: 6), PlanPoint(x: 0, y: 6),
        ])
        let grid = FloorGrid(plan)
        func room(_ x: Double, _ y: Double) throws -> Int16 {
            grid.rooms[try #require(grid.index(of: PlanPoint(x: x, y: y)))]
        }
        #expect(try room(2, 2) == 0)
        #expect(try room(8, 2) == 1)
        #expect(try room(8, 6.5) == FloorGrid.noRoom)
        #expect(try room(2, 6.5) == FloorGrid.outside)
    }

    @Test("large floors have larger cells, and no floor has too many")
    func sizes() {
        #expect(FloorGrid(TwoRooms.plan).cell == 0.25)
        for side in [100.0, 1000, 20_000] {
            var hall = TwoRooms.plan
            hall.rooms = []
            hall.doors = []
            hall.outline = TwoRooms.rectangle(0, 0, side, side)
            #expect(FloorGrid(hall).count <= 16_384)
        }
    }

    @Test("a room that is smaller than a cell has one")
    func smallRoom() {
        var hall = TwoRooms.plan
        hall.outline = TwoRooms.rectangle(0, 0, 200, 200)
        hall.rooms = [FloorPlan.Room(name: "cabinet", polygon: TwoRooms.rectangle(100.2, 100.2, 0.4, 0.4))]
        let grid = FloorGrid(hall)
        #expect(grid.rooms.contains(0))
    }
}
