import FloorPlans
import Testing

@testable import Localisation

@Suite("Floors of a building")
struct FloorTests {
    /// Two equal floors above each other, each with three receivers.
    private let model: BuildingModel = {
        var upper = TwoRooms.plan
        upper.floor = "1"
        upper.elevation = 3
        var plans = [TwoRooms.plan, upper]
        for floor in plans.indices {
            plans[floor].passages = [FloorPlan.Passage(kind: .stairs, name: "a", position: PlanPoint(x: 9, y: 6))]
        }
        let receivers = plans.indices.flatMap { floor in
            TwoRooms.receivers.map { site in
                var site = site
                site.floor = floor
                site.path = "s/b/\(floor)/\(site.path.split(separator: "/").last!)"
                return site
            }
        }
        return BuildingModel(plans: plans, receivers: receivers)
    }()

    @Test("a subject is on the floor whose receivers hear it best", arguments: [0, 1])
    func floor(floor: Int) throws {
        var filter = SubjectFilter(model)
        var scratch = FilterScratch()
        let signals = TwoRooms.left.flatMap { signal in
            [
                HeardSignal(receiver: signal.receiver + 3 * floor, rssi: signal.rssi),
                HeardSignal(receiver: signal.receiver + 3 * (1 - floor), rssi: signal.rssi - 16),
            ]
        }
        for second in 0..<5 {
            filter.step(model, HeardWindow(end: Double(second), signals: signals), scratch: &scratch)
        }
        let estimate = try #require(Estimate(model, filter.floors, flattening: 0.75))
        #expect(estimate.floor == floor && estimate.floorProbability > 0.9 && estimate.best.room == 0)
    }

    @Test("passages of the same name join floors")
    func passages() {
        #expect(model.passages.count == 1)
        #expect(model.passages[0].floors == (0, 1) && !model.passages[0].cells.0.isEmpty)
    }

    @Test("receivers are found by their paths")
    func receivers() {
        #expect(model.receiver("s/b/1/right") == 4)
        #expect(model.receiver("s/b/2/right") == nil)
    }
}
