import OperatorText

extension FloorPlanChecker {
    mutating func doors(_ floor: CheckedFloor) {
        let plan = floor.plan
        let walls = plan.walls.map { PlanBox($0.points) }
        var hasDoor = [Bool](repeating: false, count: plan.rooms.count)
        for (index, door) in plan.doors.enumerated() {
            guard effort.take(plan.rooms.count + walls.count) else { return }
            var isOnEdge = false
            for room in floor.rooms(at: door.position, &effort) {
                hasDoor[room] = true
                isOnEdge = true
            }
            for (wall, box) in zip(plan.walls, walls) where !isOnEdge {
                guard let box, box.contains(door.position, margin: FloorPlanCheck.tolerance) else { continue }
                guard effort.take(wall.points.count) else { return }
                isOnEdge = wall.segments.contains {
                    $0.nearest(to: door.position).distance <= FloorPlanCheck.tolerance
                }
            }
            if !isOnEdge, plan.outline.distanceToEdge(door.position) > FloorPlanCheck.tolerance {
                report(
                    .error, plan.path, "door at \(Self.text(door.position))",
                    found: "is not on a wall or the edge of a room",
                    remedy:
                        "move it to the wall that it is in, to within \(Metres.text(FloorPlanCheck.tolerance))",
                    .door(floor: floor.index, index))
            }
        }
        for (index, room) in plan.rooms.enumerated() where !hasDoor[index] {
            report(
                .warning, plan.path, Self.name(room), found: "has no door",
                remedy: "add [[floors.doors]] with a point on its edge: otherwise nobody is expected to enter it",
                floor.element(ofRoom: index))
        }
    }
}

extension CheckedFloor {
    /// Returns the rooms with an edge at a point.
    func rooms(at point: PlanPoint, _ effort: inout PlanEffort) -> [Int] {
        plan.rooms.indices.filter { index in
            guard boxes[index]?.contains(point, margin: FloorPlanCheck.tolerance) == true,
                effort.take(plan.rooms[index].polygon.points.count)
            else { return false }
            return plan.rooms[index].polygon.distanceToEdge(point) <= FloorPlanCheck.tolerance
        }
    }

    /// Returns the rooms that contain a point. There is one at most, unless rooms overlap.
    func rooms(around point: PlanPoint, _ effort: inout PlanEffort) -> [Int] {
        plan.rooms.indices.filter { index in
            guard boxes[index]?.contains(point) == true, effort.take(plan.rooms[index].polygon.points.count) else {
                return false
            }
            return plan.rooms[index].polygon.contains(point)
        }
    }
}
