import FloorPlans
import Localisation
import Testing

@Suite("Where badges are heard") struct CoverageTests {
    @Test("The floor is divided into squares of a metre, each with its room and the best level")
    func squares() throws {
        let coverage = try #require(TwoRooms.model.coverage(of: "s/b/0"))
        #expect(coverage.side == 1)
        #expect((60...77).contains(coverage.squares.count))
        #expect(Set(coverage.squares.map(\.room)) == [0, 1, nil])
        let best = coverage.squares.max { ($0.level ?? -200) < ($1.level ?? -200) }
        let worst = coverage.squares.min { ($0.level ?? -200) < ($1.level ?? -200) }
        // The best square is at a receiver.
        let middle = try #require(best.map { PlanPoint(x: $0.corner.x + 0.5, y: $0.corner.y + 0.5) })
        #expect(TwoRooms.receivers.contains { $0.position.distance(to: middle) < 1.5 })
        let (loudest, faintest) = (best?.level ?? 0, worst?.level ?? 0)
        #expect(loudest > faintest + 5)
        #expect(TwoRooms.model.coverage(of: "s/b/9") == nil)
    }

    @Test("Without receivers there is no level")
    func silent() {
        let coverage = BuildingModel(plans: [TwoRooms.plan], receivers: []).coverage(of: "s/b/0")
        #expect(coverage?.squares.isEmpty == false)
        #expect(coverage?.squares.allSatisfy { $0.level == nil } == true)
    }

    @Test("A large hall has larger squares, and no more than a limit")
    func large() throws {
        let hall = FloorPlan(
            site: "s", building: "b", floor: "0", outline: TwoRooms.rectangle(0, 0, 400, 300),
            rooms: [.init(name: "hall", polygon: TwoRooms.rectangle(0, 0, 400, 300))])
        let coverage = try #require(BuildingModel(plans: [hall], receivers: []).coverage(of: "s/b/0"))
        #expect(coverage.side > 4)
        #expect(coverage.squares.count <= FloorCoverage.mostSquares)
        #expect(coverage.squares.count > 2000)
    }

    @Test("A floor without area has no squares")
    func empty() {
        let plan = FloorPlan(site: "s", building: "b", floor: "0", outline: PlanPolygon([]))
        #expect(BuildingModel(plans: [plan], receivers: []).coverage(of: "s/b/0")?.squares.isEmpty == true)
    }
}
