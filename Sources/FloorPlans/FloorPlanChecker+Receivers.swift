import BeaconModel
import OperatorText

extension FloorPlanChecker {
    /// - Parameter receivers: the receivers of the floor.
    mutating func receivers(_ receivers: [PlanReceiver], on floor: CheckedFloor) {
        let plan = floor.plan
        if receivers.isEmpty {
            report(
                .warning, plan.path, found: "has a plan, but no receiver has sent records",
                remedy: "check the names of site, building and floor, or wait for the first records",
                .floor(floor.index))
            return
        }
        let rooms = Dictionary(
            plan.rooms.enumerated().map { ($1.name, $0) }, uniquingKeysWith: { first, _ in first })
        for receiver in receivers { self.receiver(receiver, rooms, floor) }
        coverage(receivers, rooms, floor)
    }

    private mutating func receiver(_ receiver: PlanReceiver, _ rooms: [String: Int], _ floor: CheckedFloor) {
        let plan = floor.plan
        let part = "receiver " + receiver.name
        let room = receiver.room.flatMap { rooms[$0] }
        if let name = receiver.room, room == nil, !plan.rooms.isEmpty {
            report(
                .warning, plan.path, part, found: "names the room \(name.excerpt), which is not on the plan",
                remedy: "give the room the same name in the plan and in the gateway's configuration")
        }
        guard let position = receiver.position, let point = receiver.point else {
            report(
                .warning, plan.path, part, found: "has no position",
                remedy: "set position in its gateway's configuration: it does not help to find people without one")
            return
        }
        guard point.x.isFinite, point.y.isFinite, position.z.isFinite else {
            report(
                .error, plan.path, part, found: "has a position that is not a number",
                remedy: "correct position in its gateway's configuration")
            return
        }
        let remedy = "correct position in its gateway's configuration, or the plan"
        if !plan.outline.contains(point, tolerance: FloorPlanCheck.tolerance) {
            report(
                .error, plan.path, part, found: "is at \(Self.text(point)), outside the floor's outline",
                remedy: remedy)
        } else if let room, !plan.rooms[room].polygon.contains(point, tolerance: FloorPlanCheck.tolerance) {
            report(
                .error, plan.path, part,
                found: "is at \(Self.text(point)), outside room \(plan.rooms[room].name), which it names",
                remedy: remedy)
        }
        if position.z < 0 || position.z > plan.height {
            let isAbsolute = position.z - plan.elevation >= 0 && position.z - plan.elevation <= plan.height
            report(
                .error, plan.path, part,
                found: "has z = \(Format.fixed(position.z, 2)); the floor is \(Metres.text(plan.height)) high",
                remedy: isAbsolute
                    ? "z counts from the floor and not from the building's origin: "
                        + "\(Format.fixed(position.z - plan.elevation, 2))"
                    : "z must be the height above the floor in metres")
        }
    }

    /// Reports rooms of which it cannot be told whether somebody is inside or outside of the door.
    private mutating func coverage(_ receivers: [PlanReceiver], _ rooms: [String: Int], _ floor: CheckedFloor) {
        let plan = floor.plan
        // Each receiver with the room that it is in: by its position, or else by the room that it names.
        let placed = receivers.map { receiver -> (point: PlanPoint?, room: Int?) in
            guard let point = receiver.point else { return (nil, receiver.room.flatMap { rooms[$0] }) }
            guard effort.take(plan.rooms.count) else { return (point, nil) }
            let around = floor.rooms(around: point, &effort)
            if let named = receiver.room.flatMap({ rooms[$0] }), around.isEmpty || around.contains(named) {
                return (point, named)
            }
            return (point, around.first)
        }
        let inside = Set(placed.compactMap(\.room))
        var doors = [[PlanPoint]](repeating: [], count: plan.rooms.count)
        for door in plan.doors {
            guard effort.take(plan.rooms.count) else { return }
            for room in floor.rooms(at: door.position, &effort) { doors[room].append(door.position) }
        }
        for (index, room) in plan.rooms.enumerated() {
            guard effort.take(doors[index].count * placed.count) else { return }
            let isOutsideHeard = placed.contains { receiver in
                guard let point = receiver.point, receiver.room != index else { return false }
                return doors[index].contains { $0.distance(to: point) <= FloorPlanCheck.nearDoor }
            }
            let hasInside = inside.contains(index)
            // Without a door it is not known where outside is.
            if hasInside, isOutsideHeard || doors[index].isEmpty { continue }
            let outside = "outside within \(Metres.text(FloorPlanCheck.nearDoor)) of a door"
            report(
                .warning, plan.path, Self.name(room),
                found: hasInside
                    ? "has a receiver inside, but none \(outside): people in the room cannot be told from those outside"
                    : isOutsideHeard || doors[index].isEmpty
                        ? "has no receiver inside: people in the room cannot be told from those outside"
                        : "has no receiver inside, and none \(outside): people in the room are hardly found",
                remedy: hasInside
                    ? "place a receiver on the other side of a door"
                    : "place a receiver in the room" + (isOutsideHeard ? "" : ", and one on the other side of a door"),
                floor.element(ofRoom: index))
        }
    }

    /// Reports receivers on floors without a plan, in buildings with plans.
    mutating func unplannedFloors(_ plans: [FloorPlan], _ receivers: [PlanReceiver]) {
        let (floors, buildings) = (Set(plans.map(\.path)), Set(plans.map(\.buildingPath)))
        var counts: [String: Int] = [:]
        for receiver in receivers where buildings.contains(receiver.building) && !floors.contains(receiver.floor) {
            counts[receiver.floor, default: 0] += 1
        }
        for (floor, count) in counts.sorted(by: { $0.key < $1.key }) {
            report(
                .warning, floor,
                found: "has \(count == 1 ? "a receiver" : "\(count) receivers"), but no plan",
                remedy: "add a plan of the floor, or correct the floor in the configuration of its gateways")
        }
    }
}
