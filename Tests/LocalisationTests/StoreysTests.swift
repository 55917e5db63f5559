import FloorPlans
import Testing

@testable import Localisation

@Suite("Storeys of a building") struct StoreysTests {
    private func plan(
        _ floor: String, x: Double = 0, z: Double, width: Double = 10, ceiling: Double = 14
    ) -> FloorPlan {
        FloorPlan(
            site: "s", building: "b", floor: floor, elevation: z, outline: TwoRooms.rectangle(x, 0, width, 7),
            ceilingAttenuation: ceiling)
    }

    private func storeys(_ plans: [FloorPlan]) -> Storeys { Storeys(plans, grids: plans.map { FloorGrid($0) }) }

    /// Expected levels of a receiver on the first floor in all cells of another one.
    private func levels(_ plans: [FloorPlan], on floor: Int) -> [Double] {
        let receiver = ReceiverSite(path: "s/b/0/r", floor: 0, position: PlanPoint(x: 2, y: 2))
        let model = BuildingModel(plans: plans, receivers: [receiver])
        return model.grids[floor].inside.map { model.expected(floor: floor, receiver: 0, cell: Int($0)) }
    }

    @Test func `Each plan over another one costs its ceiling`() {
        let storeys = storeys([plan("0", z: 0), plan("2", z: 6, ceiling: 9), plan("1", z: 3, ceiling: 20)])
        #expect(storeys[0, 1] == .init(count: 2, attenuation: 34))
        #expect(storeys[1, 0] == storeys[0, 1])
        #expect(storeys[1, 2] == .init(count: 1, attenuation: 20))
        #expect(storeys[2, 2] == .init())
    }

    @Test func `A storey of which another part is drawn still has a ceiling`() {
        let storeys = storeys([plan("0", z: 0, width: 20), plan("1", z: 3), plan("2", x: 10, z: 6)])
        #expect(storeys[0, 2] == .init(count: 2, attenuation: 28))
        #expect(storeys[1, 2] == .init(count: 1, attenuation: 14))
    }

    @Test func `Two plans side by side on two storeys give the levels of one plan per storey`() {
        let west = [plan("0w", z: 0), plan("1w", z: 3)]
        let both = west + [plan("0e", x: 10, z: 0), plan("1e", x: 10, z: 3)]
        #expect(!levels(west, on: 1).isEmpty)
        #expect(levels(both, on: 1) == levels(west, on: 1))
        let storeys = storeys(both)
        #expect(storeys[0, 3] == .init(count: 1, attenuation: 14))
        #expect(storeys[0, 2] == .init())
    }

    @Test func `Staggered wings count one ceiling per storey`() {
        let west = [plan("0w", z: 0), plan("1w", z: 3), plan("2w", z: 6)]
        let both = west + [plan("0e", x: 10, z: 1.5), plan("1e", x: 10, z: 4.5)]
        let storeys = storeys(both)
        #expect(storeys[0, 2] == .init(count: 2, attenuation: 28))
        #expect(storeys[3, 4] == .init(count: 1, attenuation: 14))
        // From one wing to the other by the wing with fewer ceilings; half a storey higher there is none.
        #expect(storeys[0, 4] == .init(count: 1, attenuation: 14))
        #expect(storeys[0, 3] == .init())
        #expect(levels(both, on: 2) == levels(west, on: 2))
        #expect(Set(levels(both, on: 2)).count > 1)
    }

    @Test func `Of two plans between two floors the ceiling that takes more counts`() {
        let storeys = storeys([
            plan("0", z: 0, width: 20), plan("1w", z: 3), plan("1e", x: 10, z: 3, ceiling: 20),
            plan("2", z: 6, width: 20),
        ])
        #expect(storeys[0, 3] == .init(count: 2, attenuation: 34))
    }

    @Test func `Wings that share a wall do not lie over each other`() {
        let storeys = storeys([
            plan("0w", z: 0), plan("1w", z: 3), plan("0e", x: 9.8, z: 1.5), plan("1e", x: 9.8, z: 4.5),
        ])
        #expect(storeys[0, 1] == .init(count: 1, attenuation: 14))
        #expect(storeys[0, 3] == .init(count: 1, attenuation: 14))
    }
}
