/// Checks of floor plans and of their receivers. All problems are found at once.
package enum FloorPlanCheck {
    /// Returns what is wrong, floor by floor, and then building by building.
    ///
    /// - Parameter receivers: all known receivers; `nil` checks the plans alone.
    package static func problems(of plans: [FloorPlan], receivers: [PlanReceiver]? = nil) -> [FloorPlanProblem] {
        var check = FloorPlanChecker()
        let byFloor = Dictionary(grouping: receivers ?? [], by: \.floor)
        for (index, plan) in plans.enumerated() {
            let floor = CheckedFloor(plan, index: index)
            let isOutlined = check.outline(floor)
            check.rooms(floor, isOutlined: isOutlined)
            check.doors(floor)
            if receivers != nil {
                check.receivers((byFloor[plan.path] ?? []).sorted { $0.path < $1.path }, on: floor)
            }
        }
        check.buildings(plans)
        if let receivers { check.unplannedFloors(plans, receivers) }
        check.conclude(plans)
        return check.problems
    }

    /// Distance in metres within which a door counts as one of an edge, and a receiver as inside of a room.
    package static let tolerance = 0.3
    /// Area in square metres up to which rooms may overlap.
    static let overlap = 0.05
    /// Area in square metres below which a polygon has none.
    static let leastArea = 0.01
    /// Side of a floor in metres above which its unit is doubted.
    static let longestSide = 1000.0
    /// Distance in metres within which a receiver is near a door.
    static let nearDoor = 10.0
}

/// A floor with what several checks need of it.
struct CheckedFloor {
    var plan: FloorPlan
    /// Index in the list of plans.
    var index: Int
    /// Smallest rectangles around the rooms.
    var boxes: [PlanBox?]

    init(_ plan: FloorPlan, index: Int) {
        self.plan = plan
        self.index = index
        boxes = plan.rooms.map { PlanBox($0.polygon.points) }
    }

    func element(ofRoom room: Int) -> PlanElement { .room(floor: index, room) }
}

/// Checks of single floors and buildings, which add to one list.
struct FloorPlanChecker {
    private(set) var problems: [FloorPlanProblem] = []
    var effort = PlanEffort()
    private var omitted = 0

    /// Number of problems after which the others are only counted.
    private static let mostProblems = 2000

    mutating func report(
        _ severity: FloorPlanProblem.Severity, _ floor: String, _ part: String? = nil, found: String, remedy: String,
        _ element: PlanElement? = nil
    ) {
        guard problems.count < Self.mostProblems else {
            omitted += 1
            return
        }
        problems.append(
            FloorPlanProblem(
                severity: severity, floor: floor, part: part, found: found, remedy: remedy, element: element))
    }

    /// Adds what was left out.
    mutating func conclude(_ plans: [FloorPlan]) {
        guard let first = plans.first else { return }
        if effort.isExhausted {
            problems.append(
                FloorPlanProblem(
                    severity: .error, floor: first.buildingPath,
                    found: "the plans are too complicated to be checked completely",
                    remedy: "draw rooms with fewer points, and divide the file"))
        }
        if omitted > 0 {
            problems.append(
                FloorPlanProblem(
                    severity: .error, floor: first.buildingPath, found: "there are \(omitted) more problems",
                    remedy: "correct those above first"))
        }
    }
}
