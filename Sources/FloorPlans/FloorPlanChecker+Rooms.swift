import OperatorText

extension FloorPlanChecker {
    /// Returns whether rooms can be compared with the outline.
    mutating func outline(_ floor: CheckedFloor) -> Bool {
        let plan = floor.plan
        if let box = PlanBox(plan.outline.points), max(box.width, box.height) > FloorPlanCheck.longestSide {
            report(
                .error, plan.path, "outline",
                found: "is \(Metres.text(box.width)) by \(Metres.text(box.height))",
                remedy:
                    "coordinates must be in metres: divide those in millimetres by 1000, those in centimetres by 100",
                .floor(floor.index))
        }
        return shape(plan.outline, plan.path, "outline", .floor(floor.index))
    }

    mutating func rooms(_ floor: CheckedFloor, isOutlined: Bool) {
        let plan = floor.plan
        var areSimple: [Bool] = []
        for (index, room) in plan.rooms.enumerated() {
            areSimple.append(
                shape(room.polygon, plan.path, Self.name(room), floor.element(ofRoom: index)))
        }
        for (index, room) in plan.rooms.enumerated() where isOutlined && areSimple[index] {
            guard let shared = PolygonOverlap.area(room.polygon, plan.outline, &effort) else { break }
            let area = room.polygon.area
            guard area - shared > max(FloorPlanCheck.overlap, area * 1e-6) else { continue }
            report(
                .error, plan.path, Self.name(room),
                found: shared < FloorPlanCheck.leastArea
                    ? "is outside the floor's outline"
                    : "is outside the floor's outline with \(Self.text(area - shared)) of \(Self.text(area))",
                remedy: "correct the points of the room or the outline", floor.element(ofRoom: index))
        }
        overlaps(floor, areSimple)
    }

    /// Number of overlaps of a floor that are reported one by one.
    private static let mostOverlaps = 50

    private mutating func overlaps(_ floor: CheckedFloor, _ areSimple: [Bool]) {
        let plan = floor.plan
        // From left to right: only rooms whose rectangles share a part of the first axis are compared.
        let order = plan.rooms.indices.filter { areSimple[$0] && floor.boxes[$0] != nil }.sorted {
            (floor.boxes[$0]?.least.x ?? 0, $0) < (floor.boxes[$1]?.least.x ?? 0, $1)
        }
        var active: [Int] = []
        var found: [(first: Int, second: Int, area: Double)] = []
        for index in order {
            guard let box = floor.boxes[index] else { continue }
            guard effort.take(active.count) else { break }
            active.removeAll { (floor.boxes[$0]?.greatest.x ?? 0) <= box.least.x }
            for other in active {
                guard let otherBox = floor.boxes[other], box.overlaps(otherBox) else { continue }
                guard
                    let area = PolygonOverlap.area(plan.rooms[index].polygon, plan.rooms[other].polygon, &effort)
                else { break }
                if area > FloorPlanCheck.overlap { found.append((min(index, other), max(index, other), area)) }
            }
            if found.count > Self.mostOverlaps { break }
            active.append(index)
        }
        for one in found.sorted(by: { ($0.second, $0.first) < ($1.second, $1.first) }).prefix(Self.mostOverlaps) {
            report(
                .error, plan.path, Self.name(plan.rooms[one.second]),
                found: "overlaps \(Self.name(plan.rooms[one.first])) by \(Self.text(one.area))",
                remedy: "each point of a floor must belong to one room", floor.element(ofRoom: one.second))
        }
        if found.count > Self.mostOverlaps {
            report(
                .error, plan.path, found: "more than \(Self.mostOverlaps) pairs of rooms overlap",
                remedy: "correct those above first", .floor(floor.index))
        }
    }

    /// Checks a polygon by itself. Returns whether its area can be compared with others.
    private mutating func shape(
        _ polygon: PlanPolygon, _ floor: String, _ part: String, _ element: PlanElement
    ) -> Bool {
        let count = polygon.points.count
        guard effort.take(count * count) else { return false }
        if let (one, other) = polygon.crossingEdges() {
            report(
                .error, floor, part,
                found: "crosses itself: the edge after point \(one + 1) crosses that after point \(other + 1)",
                remedy: "give the points in the order in which they follow each other along the edge", element)
            return false
        }
        guard let area = PolygonOverlap.evenOddArea(polygon, &effort) else { return false }
        if abs(area - polygon.area) > max(FloorPlanCheck.leastArea, area * 1e-6) {
            report(
                .error, floor, part, found: "crosses itself in one of its points",
                remedy: "give the points in the order in which they follow each other along the edge", element)
            return false
        }
        if area < FloorPlanCheck.leastArea {
            report(
                .error, floor, part, found: "has no area", remedy: "give the points of its corners, in metres", element)
            return false
        }
        return true
    }

    static func name(_ room: FloorPlan.Room) -> String { "room " + room.name }

    static func text(_ area: Double) -> String { Format.fixed(area, area < 10 ? 2 : 1) + " m²" }

    static func text(_ point: PlanPoint) -> String { "\(Format.fixed(point.x, 2)), \(Format.fixed(point.y, 2))" }
}
