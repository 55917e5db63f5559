/// Spots at which somebody should stand to survey a floor.
package enum SurveyRoute {
    /// A spot in a room.
    package struct Spot: Equatable, Sendable {
        /// Index of the room in the plan.
        package var room: Int
        package var position: PlanPoint
    }

    /// Area in square metres below which three spots are enough for a room.
    private static let smallRoom = 12.0
    /// Distance from the walls within which nobody stands, in metres.
    private static let clearance = 0.5
    /// Number of steps along each side of the grid from which spots are chosen.
    private static let steps = 24

    /// Returns the spots of all rooms, in the order of the plan: three to five in each room, far from each other.
    package static func spots(of plan: FloorPlan) -> [Spot] {
        plan.rooms.indices.flatMap { room in
            positions(in: plan.rooms[room].polygon).map { Spot(room: room, position: $0) }
        }
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
        var spots = [rounded(middle)]
        let count = polygon.area < smallRoom ? 3 : 5
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
