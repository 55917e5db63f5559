import FloorPlans

@testable import Localisation

/// A floor with four rooms and a corridor, receivers in all of them, and levels that fit the model exactly.
enum KnownFloor {
    static let plan = plan(0)
    static let sites: [(name: String, position: PlanPoint)] = [
        ("a", PlanPoint(x: 0.5, y: 1)), ("b", PlanPoint(x: 9.5, y: 4.5)), ("c", PlanPoint(x: 10.5, y: 1)),
        ("d", PlanPoint(x: 19.5, y: 3)), ("e", PlanPoint(x: 1, y: 12.5)), ("f", PlanPoint(x: 8, y: 8.5)),
        ("g", PlanPoint(x: 18, y: 12.5)), ("h", PlanPoint(x: 12, y: 6.5)),
    ]

    static func plan(_ floor: Int) -> FloorPlan {
        FloorPlan(
            site: "s", building: "b", floor: "\(floor)", elevation: 3.5 * Double(floor),
            outline: TwoRooms.rectangle(0, 0, 20, 13),
            rooms: [
                FloorPlan.Room(name: "south west", polygon: TwoRooms.rectangle(0, 0, 10, 5)),
                FloorPlan.Room(name: "south east", polygon: TwoRooms.rectangle(10, 0, 10, 5)),
                FloorPlan.Room(name: "north west", polygon: TwoRooms.rectangle(0, 8, 9, 5)),
                FloorPlan.Room(name: "north east", polygon: TwoRooms.rectangle(9, 8, 11, 5)),
            ],
            doors: [FloorPlan.Door(position: PlanPoint(x: 3, y: 5)), FloorPlan.Door(position: PlanPoint(x: 15, y: 8))])
    }

    /// All receivers of a floor with their positions.
    static func receivers(floor: Int = 0) -> [PlacementReceiver] {
        sites.map { PlacementReceiver(path: "s/b/\(floor)/\($0.name)", floor: floor, position: $0.position) }
    }

    /// Returns the receivers without the positions of some, by name.
    static func receivers(without names: Set<String>) -> [PlacementReceiver] {
        receivers().map { receiver in
            var receiver = receiver
            if names.contains(where: { receiver.path.hasSuffix("/\($0)") }) { receiver.position = nil }
            return receiver
        }
    }

    /// Returns what receivers hear of each other by the model.
    ///
    /// - Parameters:
    ///   - powers: excess of the beacons' powers by path in dB.
    ///   - offsets: excess of what the receivers report by path in dB.
    static func levels(
        _ receivers: [PlacementReceiver] = receivers(), plans: [FloorPlan] = [plan], powers: [String: Double] = [:],
        offsets: [String: Double] = [:]
    ) -> [MutualLevel] {
        var points = PlacementPoints(plans, wanted: [], PlacementSettings())
        let indices = receivers.map { points.add($0.position!, height: $0.height, on: $0.floor) }
        var levels: [MutualLevel] = []
        for (beacon, one) in receivers.enumerated() {
            for (receiver, other) in receivers.enumerated() where receiver != beacon {
                let loss = points.loss(indices[beacon], on: one.floor, indices[receiver], on: other.floor)
                levels.append(
                    MutualLevel(
                        beacon: one.path, receiver: other.path,
                        rssi: -59 + powers[one.path, default: 0] + offsets[other.path, default: 0] - loss, minutes: 60))
            }
        }
        return levels
    }

    static func position(_ name: String) -> PlanPoint { sites.first { $0.name == name }!.position }

    static func suggestions(
        _ receivers: [PlacementReceiver], _ levels: [MutualLevel] = levels(), plans: [FloorPlan] = [plan]
    ) -> [PlacementSuggestion] {
        PlacementSearch.suggestions(plans: plans, receivers: receivers, levels: levels)
    }
}
