import FloorPlans
import Testing

@testable import Localisation

@Suite("How people spread over a floor")
struct DiffusionTests {
    private let grid = FloorGrid(TwoRooms.plan)

    private func point(_ x: Double, _ y: Double) throws -> [Float] {
        var values = [Float](repeating: 0, count: grid.padded)
        values[try #require(grid.index(of: PlanPoint(x: x, y: y)))] = 1
        return values
    }

    @Test("the sum stays the same, and nothing becomes negative")
    func sum() throws {
        var values = try point(1, 1)
        for _ in 0..<50 { Diffusion(grid, variance: 0.64).spread(&values) }
        #expect(abs(values.reduce(0, +) - 1) < 1e-3)
        #expect(values.allSatisfy { $0 >= 0 })
    }

    @Test("a wall stops people, and a door lets them pass")
    func walls() throws {
        func inRight(_ plan: FloorPlan, from y: Double) -> Float {
            let grid = FloorGrid(plan)
            var values = [Float](repeating: 0, count: grid.padded)
            if let index = grid.index(of: PlanPoint(x: 4.8, y: y)) { values[index] = 1 }
            Diffusion(grid, variance: 0.64).spread(&values)
            return grid.inside.filter { grid.rooms[Int($0)] == 1 }.reduce(0) { $0 + values[Int($1)] }
        }
        var closed = TwoRooms.plan
        closed.doors = []
        #expect(inRight(closed, from: 1) == 0)
        #expect(inRight(TwoRooms.plan, from: 1) > 0.1)
        #expect(inRight(TwoRooms.plan, from: 4) < 0.01)
    }

    @Test("spreading back is the transpose of spreading")
    func transpose() throws {
        let diffusion = Diffusion(grid, variance: 0.64)
        let (start, end) = (PlanPoint(x: 4.8, y: 1), PlanPoint(x: 2, y: 6))
        var forward = try point(start.x, start.y)
        var back = try point(end.x, end.y)
        for _ in 0..<20 {
            diffusion.spread(&forward)
            diffusion.spreadBack(&back)
        }
        let one = forward[try #require(grid.index(of: end))]
        let other = back[try #require(grid.index(of: start))]
        #expect(one > 0 && abs(one - other) < 1e-3 * one)
    }

    @Test("at rest, people are in rooms more often than between them")
    func rest() throws {
        var values = try point(1, 1)
        for _ in 0..<3000 { Diffusion(grid, variance: 0.64).spread(&values) }
        let corridor = values[try #require(grid.index(of: PlanPoint(x: 5, y: 6)))]
        let room = values[try #require(grid.index(of: PlanPoint(x: 8, y: 3)))]
        #expect(abs(corridor / room - FloorGrid.restBetweenRooms) < 0.02)
    }
}
