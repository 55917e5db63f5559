import Testing

@testable import FloorPlans

@Suite("Spots of a survey") struct SurveyRouteTests {
    private static func polygon(_ points: [(Double, Double)]) -> PlanPolygon {
        PlanPolygon(points.map { PlanPoint(x: $0.0, y: $0.1) })
    }

    @Test func `A room has its middle and four spots far from it and from each other`() {
        let room = Self.polygon([(0, 0), (8, 0), (8, 6), (0, 6)])
        let spots = SurveyRoute.positions(in: room)
        #expect(spots.count == 5)
        #expect(spots.first == PlanPoint(x: 4, y: 3))
        for (index, spot) in spots.enumerated() {
            #expect(room.contains(spot) && room.distanceToEdge(spot) >= 0.4)
            #expect(spots[..<index].allSatisfy { $0.distance(to: spot) > 2 })
        }
    }

    @Test func `A small room has three spots, and one as narrow as a cupboard has one`() {
        #expect(SurveyRoute.positions(in: Self.polygon([(0, 0), (3, 0), (3, 3), (0, 3)])).count == 3)
        #expect(SurveyRoute.positions(in: Self.polygon([(0, 0), (0.8, 0), (0.8, 0.8), (0, 0.8)])).count == 1)
    }

    @Test func `Spots of a bent room are inside`() {
        let room = Self.polygon([(0, 0), (10, 0), (10, 2), (2, 2), (2, 10), (0, 10)])
        #expect(SurveyRoute.positions(in: room).allSatisfy(room.contains))
    }

    @Test func `A room without an area has no more than one spot`() {
        #expect(SurveyRoute.positions(in: PlanPolygon([])).isEmpty)
        #expect(SurveyRoute.positions(in: Self.polygon([(0, 0), (5, 0), (0, 0)])).count <= 1)
    }

    @Test func `A corridor has spots along it, after those of the rooms`() {
        var plan = FloorPlan(
            site: "s", building: "b", floor: "0", elevation: 0, height: 3,
            outline: Self.polygon([(0, 0), (24, 0), (24, 7), (0, 7)]))
        plan.rooms = [FloorPlan.Room(name: "a", polygon: Self.polygon([(0, 2), (24, 2), (24, 7), (0, 7)]))]
        let spots = SurveyRoute.spots(of: plan)
        #expect(spots.prefix(5).allSatisfy { $0.room == 0 })
        let between = spots.dropFirst(5)
        #expect(between.count == 3 && between.allSatisfy { $0.room == nil && $0.position.y < 2 })
        #expect((between.map(\.position.x).max() ?? 0) - (between.map(\.position.x).min() ?? 0) > 20)
    }

    @Test func `A floor whose rooms fill it has no spots between them`() {
        var plan = FloorPlan(
            site: "s", building: "b", floor: "0", elevation: 0, height: 3,
            outline: Self.polygon([(0, 0), (8, 0), (8, 6), (0, 6)]))
        plan.rooms = [FloorPlan.Room(name: "a", polygon: plan.outline)]
        #expect(SurveyRoute.spots(of: plan).allSatisfy { $0.room == 0 })
    }
}
