extension PlanPolygon {
    /// Returns the first two edges that cross, by their indices; `nil` if none do.
    ///
    /// Edges that only touch do not cross: a room around a pillar can be drawn as a line that runs there and back.
    func crossingEdges() -> (Int, Int)? {
        let edges = edges
        guard edges.count > 3 else { return nil }
        for (index, edge) in edges.enumerated() {
            for other in edges.indices.dropFirst(index + 2) where !(index == 0 && other == edges.count - 1) {
                if edge.properlyCrosses(edges[other]) { return (index, other) }
            }
        }
        return nil
    }

    /// Returns the distance of a point from the nearest edge, in metres.
    func distanceToEdge(_ point: PlanPoint) -> Double {
        guard var last = points.last else { return .infinity }
        var least = Double.infinity
        // Not by `edges`: a list for each point takes longer than the distances.
        for corner in points {
            least = min(least, PlanSegment(last, corner).nearest(to: point).distance)
            last = corner
        }
        return least
    }

    /// Returns whether a point is inside or at most `tolerance` metres outside.
    package func contains(_ point: PlanPoint, tolerance: Double) -> Bool {
        contains(point) || distanceToEdge(point) <= tolerance
    }

    /// A point inside the polygon that is far from its edges, for a name; `nil` if there are no corners.
    ///
    /// It is the centre of the area where that is well inside. Otherwise points of a grid are compared, and then those
    /// of finer grids around the best.
    package var labelPoint: PlanPoint? {
        guard let centroid, let box = PlanBox(points) else { return nil }
        let room = min(box.width, box.height)
        if contains(centroid), distanceToEdge(centroid) >= room / 4 { return centroid }
        var best = (point: centroid, clearance: clearance(centroid))
        var (centre, width, height) = (
            PlanPoint(x: box.least.x + box.width / 2, y: box.least.y + box.height / 2), box.width, box.height
        )
        for _ in 0..<4 {
            for row in 0...Self.gridSteps {
                for column in 0...Self.gridSteps {
                    let point = PlanPoint(
                        x: centre.x + width * (Double(column) / Double(Self.gridSteps) - 0.5),
                        y: centre.y + height * (Double(row) / Double(Self.gridSteps) - 0.5))
                    let clearance = clearance(point)
                    if clearance > best.clearance + 1e-9 { best = (point, clearance) }
                }
            }
            (centre, width, height) = (best.point, width / 6, height / 6)
        }
        return best.point
    }

    private static let gridSteps = 12

    /// Distance to the nearest edge; negative outside.
    private func clearance(_ point: PlanPoint) -> Double {
        let distance = distanceToEdge(point)
        return contains(point) ? distance : -distance
    }
}

extension PlanSegment {
    /// Returns whether two segments cross between their ends.
    func properlyCrosses(_ other: PlanSegment) -> Bool {
        let slack = 1e-9 * (1 + length) * (1 + other.length)
        func side(_ segment: PlanSegment, _ point: PlanPoint) -> Int {
            let product =
                (segment.end.x - segment.start.x) * (point.y - segment.start.y)
                - (segment.end.y - segment.start.y) * (point.x - segment.start.x)
            return product > slack ? 1 : product < -slack ? -1 : 0
        }
        return side(self, other.start) * side(self, other.end) < 0 && side(other, start) * side(other, end) < 0
    }
}
