/// Cutter of gaps for doors into walls.
struct DoorCutter {
    /// Doors by the first axis.
    private let doors: [FloorPlan.Door]
    /// Direction of the wall that is nearest to each door, as a vector of length 1.
    private var directions: [PlanPoint?]

    init(_ doors: [FloorPlan.Door], in walls: [PlanSegment]) {
        self.doors = doors.sorted { ($0.position.x, $0.position.y) < ($1.position.x, $1.position.y) }
        directions = Array(repeating: nil, count: doors.count)
        var distances = [Double](repeating: .infinity, count: doors.count)
        for wall in walls {
            for (index, distance, _) in near(wall) where distance < distances[index] {
                distances[index] = distance
                directions[index] = wall.direction
            }
        }
    }

    /// Returns what is left of a wall beside its doors.
    func parts(of wall: PlanSegment) -> [PlanSegment] {
        let gaps = gaps(in: wall)
        guard !gaps.isEmpty else { return [wall] }
        var parts: [PlanSegment] = []
        var end = 0.0
        for gap in gaps.sorted(by: { $0.lowerBound < $1.lowerBound }) {
            if gap.lowerBound > end { parts.append(PlanSegment(wall.point(at: end), wall.point(at: gap.lowerBound))) }
            end = max(end, gap.upperBound)
        }
        if end < 1 { parts.append(PlanSegment(wall.point(at: end), wall.end)) }
        return parts
    }

    /// Returns the gaps of all walls, each once.
    func gaps(in walls: [PlanSegment]) -> [PlanSegment] {
        var drawn: Set<PlanPoint> = []
        var found: [PlanSegment] = []
        for wall in walls {
            for gap in gaps(in: wall) where drawn.insert(wall.point(at: (gap.lowerBound + gap.upperBound) / 2)).inserted
            {
                found.append(PlanSegment(wall.point(at: gap.lowerBound), wall.point(at: gap.upperBound)))
            }
        }
        return found
    }

    /// Returns the gaps of a wall, as shares of its length.
    private func gaps(in wall: PlanSegment) -> [ClosedRange<Double>] {
        let length = wall.length
        return near(wall).compactMap { index, _, share in
            // A door near a corner is in one of the two walls; one between two rooms is in both of their edges.
            guard let door = directions[index], let own = wall.direction, abs(door.x * own.x + door.y * own.y) > 0.9
            else { return nil }
            let half = doors[index].width / 2 / length
            return max(0, share - half)...min(1, share + half)
        }
    }

    /// Returns the doors at a wall: their indices, distances, and places as shares of the wall's length.
    private func near(_ wall: PlanSegment) -> [(index: Int, distance: Double, share: Double)] {
        let margin = FloorPlanCheck.tolerance
        let (left, right) = (min(wall.start.x, wall.end.x) - margin, max(wall.start.x, wall.end.x) + margin)
        let first = doors.partitioningIndex { $0.position.x >= left }
        var found: [(index: Int, distance: Double, share: Double)] = []
        for index in first..<doors.count {
            if doors[index].position.x > right { break }
            let (distance, share) = wall.nearest(to: doors[index].position)
            if distance <= margin { found.append((index, distance, share)) }
        }
        return found
    }
}

extension PlanSegment {
    /// Direction as a vector of length 1; `nil` if both ends are the same.
    fileprivate var direction: PlanPoint? {
        let length = length
        return length > 0 ? PlanPoint(x: (end.x - start.x) / length, y: (end.y - start.y) / length) : nil
    }
}

extension Array {
    /// Returns the first index whose element fulfils a condition that all later ones fulfil too.
    fileprivate func partitioningIndex(where isAfter: (Element) -> Bool) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if isAfter(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
