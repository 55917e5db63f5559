import FloorPlans

/// The walls of a floor, with what they take from signals and where people pass.
///
/// Walls are those of the plan, and the edges of rooms. A room's edge that a wall of the plan runs along is that wall.
struct Barriers: Sendable {
    /// A straight wall.
    private struct Wall {
        var segment: PlanSegment
        /// Attenuation in dB.
        var attenuation: Double
        /// Whether the plan gives the wall itself, not only a room's edge.
        var isDrawn: Bool
        var least: PlanPoint
        var greatest: PlanPoint
    }

    private let walls: [Wall]
    private let doors: [FloorPlan.Door]

    /// Distance along a path within which crossings are those of one wall: the faces of a thick wall, or the edges of
    /// two rooms that meet, in metres.
    private static let thickness = 0.4
    /// Distance of a door from the wall that it is in, in metres.
    private static let doorReach = 0.3

    init(_ plan: FloorPlan) {
        func wall(_ segment: PlanSegment, _ attenuation: Double, isDrawn: Bool) -> Wall {
            let (a, b) = (segment.start, segment.end)
            return Wall(
                segment: segment, attenuation: attenuation, isDrawn: isDrawn,
                least: PlanPoint(x: min(a.x, b.x), y: min(a.y, b.y)),
                greatest: PlanPoint(x: max(a.x, b.x), y: max(a.y, b.y)))
        }
        walls =
            plan.walls.flatMap { drawn in
                drawn.segments.map { wall($0, drawn.attenuation ?? plan.wallAttenuation, isDrawn: true) }
            }
            + plan.rooms.flatMap { room in
                room.polygon.edges.map { wall($0, plan.wallAttenuation, isDrawn: false) }
            }
        doors = plan.doors
    }

    /// Returns the attenuation of the walls between two points in dB.
    ///
    /// - Parameter doorShare: share that remains where the path passes through a door.
    func attenuation(_ path: PlanSegment, doorShare: Double) -> Double {
        var crossings: [(distance: Double, wall: Wall, throughDoor: Bool)] = []
        let length = path.length
        for (wall, share) in crossed(by: path) {
            crossings.append((share * length, wall, isDoor(path.point(at: share), slack: 0)))
        }
        crossings.sort { $0.distance < $1.distance }
        var total = 0.0
        var index = 0
        while index < crossings.count {
            var end = index
            while end < crossings.count, crossings[end].distance - crossings[index].distance <= Self.thickness {
                end += 1
            }
            let group = crossings[index..<end]
            // Where a wall is drawn, it says what the edges of rooms beside it take.
            let drawn = group.filter(\.wall.isDrawn)
            let counted = drawn.isEmpty ? Array(group) : Array(drawn)
            let attenuation = counted.map(\.wall.attenuation).max() ?? 0
            total += attenuation * (group.contains(where: \.throughDoor) ? doorShare : 1)
            index = end
        }
        return total
    }

    /// Returns whether nobody can walk from one cell to the next.
    ///
    /// - Parameters:
    ///   - step: the line between the cells' middles.
    ///   - slack: half of a cell, by which doors seem wider, because cells do not end at their posts.
    ///   - sameRoom: whether both cells are in one room, where only drawn walls are in the way.
    func blocks(_ step: PlanSegment, slack: Double, sameRoom: Bool) -> Bool {
        for (wall, share) in crossed(by: step) where wall.isDrawn || !sameRoom {
            if !isDoor(step.point(at: share), slack: slack) { return true }
        }
        return false
    }

    private func crossed(by path: PlanSegment) -> [(Wall, Double)] {
        let (lowX, highX) = (min(path.start.x, path.end.x), max(path.start.x, path.end.x))
        let (lowY, highY) = (min(path.start.y, path.end.y), max(path.start.y, path.end.y))
        return walls.compactMap { wall in
            guard wall.least.x <= highX, wall.greatest.x >= lowX, wall.least.y <= highY, wall.greatest.y >= lowY else {
                return nil
            }
            return path.crossing(with: wall.segment).map { (wall, $0) }
        }
    }

    private func isDoor(_ point: PlanPoint, slack: Double) -> Bool {
        doors.contains { $0.position.distance(to: point) <= max(Self.doorReach, $0.width / 2 + slack) }
    }
}
