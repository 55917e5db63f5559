import FloorPlans
import Localisation

/// Two rooms beside each other, with a door between them, a receiver in each, and one in the corridor.
enum TwoRooms {
    static let plan = FloorPlan(
        site: "s", building: "b", floor: "0", outline: rectangle(0, 0, 10, 7),
        rooms: [
            FloorPlan.Room(name: "left", polygon: rectangle(0, 0, 5, 5)),
            FloorPlan.Room(name: "right", polygon: rectangle(5, 0, 5, 5)),
        ],
        doors: [
            FloorPlan.Door(position: PlanPoint(x: 5, y: 1)), FloorPlan.Door(position: PlanPoint(x: 2, y: 5)),
            FloorPlan.Door(position: PlanPoint(x: 8, y: 5)),
        ])

    static let receivers = [
        ReceiverSite(path: "s/b/0/left", floor: 0, position: PlanPoint(x: 2, y: 2)),
        ReceiverSite(path: "s/b/0/right", floor: 0, position: PlanPoint(x: 8, y: 2)),
        ReceiverSite(path: "s/b/0/corridor", floor: 0, position: PlanPoint(x: 5, y: 6)),
    ]

    static let model = BuildingModel(plans: [plan], receivers: receivers)

    static func rectangle(_ x: Double, _ y: Double, _ width: Double, _ height: Double) -> PlanPolygon {
        PlanPolygon([
            PlanPoint(x: x, y: y), PlanPoint(x: x + width, y: y), PlanPoint(x: x + width, y: y + height),
            PlanPoint(x: x, y: y + height),
        ])
    }

    /// What somebody in the left room sounds like.
    static let left = signals(-60, -78, -74)
    static let right = signals(-78, -60, -74)

    static func signals(_ left: Double, _ right: Double, _ corridor: Double) -> [HeardSignal] {
        [left, right, corridor].enumerated().map { HeardSignal(receiver: $0, rssi: $1) }
    }

    /// Returns the filter after a number of equal seconds.
    static func filter(_ signals: [HeardSignal], seconds: Int, from start: Double = 0) -> SubjectFilter {
        var filter = SubjectFilter(model)
        var scratch = FilterScratch()
        for second in 0..<seconds {
            filter.step(model, HeardWindow(end: start + Double(second), signals: signals), scratch: &scratch)
        }
        return filter
    }

    static func estimate(_ filter: SubjectFilter) -> Estimate? {
        Estimate(model, filter.floors, flattening: model.settings.flattening)
    }

    /// The floor twice, above each other, each with receivers of its own.
    static let twoFloors: BuildingModel = {
        var upper = plan
        (upper.floor, upper.elevation) = ("1", 3)
        let sites = receivers.map { site in
            var site = site
            (site.path, site.floor) = (site.path.replacing("s/b/0", with: "s/b/1"), 1)
            return site
        }
        return BuildingModel(plans: [plan, upper], receivers: receivers + sites)
    }()
}
