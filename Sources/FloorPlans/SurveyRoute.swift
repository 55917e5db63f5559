/// Spots at which somebody should stand to survey a floor.
package enum SurveyRoute {
    /// A spot on a floor.
    package struct Spot: Equatable, Sendable {
        /// Index of the room in the plan; `nil` between rooms.
        package var room: Int?
        package var position: PlanPoint
    }

    /// Area in square metres below which three spots are enough for a room.
    private static let smallRoom = 12.0
    /// Distance from the walls within which nobody stands, in metres.
    private static let clearance = 0.5
    /// Number of steps along each side of the grid from which spots are chosen.
    private static let steps = 24

    /// Area in square metres for which there is a spot between rooms, and number of such spots at most.
    private static let areaBetweenRooms = 15.0
    private static let mostBetweenRooms = 8
    /// Side of the squares from which spots between rooms are chosen, in metres, and number of squares along a side.
    private static let square = 0.5
    private static let mostSquares = 120

    /// Returns the spots of a floor: three to five in each room, in the order of the plan, then those in corridors. The
    /// spots of a room are far from each other.
    package static func spots(of plan: FloorPlan) -> [Spot] {
        let inRooms = plan.rooms.indices.flatMap { room in
            positions(in: plan.rooms[room].polygon).map { Spot(room: room, position: $0) }
        }
        return inRooms + positionsBetweenRooms(of: plan).map { Spot(room: nil, position: $0) }
    }

    /// Returns spots on the floor between rooms.
    ///
    /// Without them corridors are the only places that a survey says nothing of, and who stands there is found in a room.
    static func positionsBetweenRooms(of plan: FloorPlan) -> [PlanPoint] {
        guard !plan.rooms.isEmpty, let box = PlanBox(plan.outline.points) else { return [] }
        let columns = min(mostSquares, max(1, Int(box.width / square)))
        let rows = min(mostSquares, max(1, Int(box.height / square)))
        let side = PlanPoint(x: box.width / Double(columns), y: box.height / Double(rows))
        var area = 0.0
        var candidates: [PlanPoint] = []
        for column in 0..<columns {
            for row in 0..<rows {
                let point = PlanPoint(
                    x: box.least.x + (Double(column) + 0.5) * side.x, y: box.least.y + (Double(row) + 0.5) * side.y)
                guard plan.outline.contains(point), !plan.rooms.contains(where: { $0.polygon.contains(point) }) else {
                    continue
                }
                area += side.x * side.y
                let polygons = [plan.outline] + plan.rooms.map(\.polygon)
                if polygons.allSatisfy({ $0.distanceToEdge(point) >= clearance }) { candidates.append(point) }
            }
        }
        guard let first = candidates.first else { return [] }
        let count = min(mostBetweenRooms, max(1, Int(area / areaBetweenRooms)))
        return spread([first], candidates, count: count)
    }

    /// Returns the spots of a room: one in the middle, then each where it is farthest from those before.
    static func positions(in polygon: PlanPolygon) -> [PlanPoint] {
        guard let middle = polygon.labelPoint, let box = PlanBox(polygon.points) else { return [] }
        var candidates: [PlanPoint] = []
        for column in 0...steps {
            for row in 0...steps {
                let point = PlanPoint(
                    x: box.least.x + box.width * Double(column) / Double(steps),
                    y: box.least.y + box.height * Double(row) / Double(steps))
                if polygon.contains(point), polygon.distanceToEdge(point) >= clearance { candidates.append(point) }
            }
        }
        return spread([middle], candidates, count: polygon.area < smallRoom ? 3 : 5)
    }

    /// Adds points, each where it is farthest from those before.
    private static func spread(_ first: [PlanPoint], _ candidates: [PlanPoint], count: Int) -> [PlanPoint] {
        var spots = first.map(rounded)
        while spots.count < count {
            func least(_ point: PlanPoint) -> Double { spots.map { $0.distance(to: point) }.min() ?? 0 }
            guard let farthest = candidates.max(by: { least($0) < least($1) }), least(farthest) >= 2 * clearance else {
                break
            }
            spots.append(rounded(farthest))
        }
        return spots
    }

    /// Nobody stands more exactly than to a decimetre.
    private static func rounded(_ point: PlanPoint) -> PlanPoint {
        PlanPoint(x: (point.x * 10).rounded() / 10, y: (point.y * 10).rounded() / 10)
    }
}
