import OperatorText

extension FloorPlanChecker {
    mutating func buildings(_ plans: [FloorPlan]) {
        let buildings = Dictionary(grouping: plans.indices) { plans[$0].buildingPath }
        for (_, floors) in buildings.sorted(by: { $0.key < $1.key }) {
            roomNames(plans, floors)
            passages(plans, floors)
            elevations(plans, floors)
        }
    }

    private mutating func roomNames(_ plans: [FloorPlan], _ floors: [Int]) {
        var first: [String: Int] = [:]
        for floor in floors {
            for (index, room) in plans[floor].rooms.enumerated() {
                guard let other = first.updateValue(floor, forKey: Self.key(room.name)) else { continue }
                first[Self.key(room.name)] = other
                report(
                    .error, plans[floor].path, Self.name(room),
                    found: other == floor ? "exists twice" : "also exists on \(plans[other].path)",
                    remedy: "names of rooms must be unique in a building: reports and timetables name the room alone",
                    .room(floor: floor, index))
            }
        }
    }

    /// Returns a name as it is compared: without regard to case and spaces, like those of timetables.
    private static func key(_ name: String) -> String {
        name.lowercased().split { $0.isWhitespace }.joined(separator: " ")
    }

    private mutating func passages(_ plans: [FloorPlan], _ floors: [Int]) {
        var uses: [String: Set<Int>] = [:]
        for floor in floors {
            var own: Set<String> = []
            for (index, passage) in plans[floor].passages.enumerated() {
                let part = "\(passage.kind.rawValue) \(passage.name)"
                let element = PlanElement.passage(floor: floor, index)
                uses[passage.name, default: []].insert(floor)
                if !own.insert(passage.name).inserted {
                    report(
                        .error, plans[floor].path, part, found: "exists twice on the floor",
                        remedy: "give each a name of its own, the same on all floors that it joins", element)
                }
                if !plans[floor].outline.contains(passage.position, tolerance: FloorPlanCheck.tolerance) {
                    report(
                        .error, plans[floor].path, part,
                        found: "is at \(Self.text(passage.position)), outside the floor's outline",
                        remedy: "correct its position or the outline", element)
                }
            }
        }
        for floor in floors {
            for (index, passage) in plans[floor].passages.enumerated() where uses[passage.name]?.count == 1 {
                report(
                    .warning, plans[floor].path, "\(passage.kind.rawValue) \(passage.name)",
                    found: "is on this floor only, and leads nowhere",
                    remedy: "add it to the other floors that it joins, with the same name",
                    .passage(floor: floor, index))
            }
        }
    }

    private mutating func elevations(_ plans: [FloorPlan], _ floors: [Int]) {
        let order = floors.sorted { (plans[$0].elevation, $0) < (plans[$1].elevation, $1) }
        for (position, lower) in order.enumerated() {
            let top = plans[lower].elevation + plans[lower].height
            for upper in order[(position + 1)...] {
                // To the centimetre: heights are measured.
                guard plans[upper].elevation < top - 0.01 else { break }
                // Wings of a building may have storeys at different heights.
                guard let shared = PolygonOverlap.area(plans[lower].outline, plans[upper].outline, &effort),
                    shared > FloorPlanCheck.overlap
                else { continue }
                report(
                    .error, plans[upper].path,
                    found: "begins at z = \(Format.fixed(plans[upper].elevation, 2)), below the ceiling of "
                        + "\(plans[lower].path) at \(Format.fixed(top, 2))",
                    remedy: "correct z or height: z is the height of the floor above the building's origin, in metres",
                    .floor(upper))
            }
        }
    }
}
