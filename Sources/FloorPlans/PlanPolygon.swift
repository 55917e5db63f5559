/// A polygon on a floor plan. The last point is joined with the first.
package struct PlanPolygon: Hashable, Sendable {
    /// Corners in order; the first is not repeated at the end.
    package var points: [PlanPoint]

    package init(_ points: [PlanPoint]) {
        self.points = points
    }

    /// Edges in order; none if there are fewer than two corners.
    package var edges: [PlanSegment] {
        guard points.count > 1 else { return [] }
        return points.indices.map { PlanSegment(points[$0], points[($0 + 1) % points.count]) }
    }

    /// Area in square metres, positive if the corners run counterclockwise with the second axis upwards.
    package var signedArea: Double {
        edges.reduce(0) { $0 + $1.start.x * $1.end.y - $1.end.x * $1.start.y } / 2
    }

    /// Area in square metres.
    package var area: Double { abs(signedArea) }

    /// Centre of the area; the mean of the corners if there is no area. `nil` if there are no corners.
    package var centroid: PlanPoint? {
        guard let first = points.first else { return nil }
        let area = signedArea
        guard abs(area) > 1e-9 else {
            let count = Double(points.count)
            return PlanPoint(
                x: points.reduce(0) { $0 + $1.x } / count, y: points.reduce(0) { $0 + $1.y } / count)
        }
        // Relative to a corner, so that plans far from their origin lose no digits.
        var (x, y) = (0.0, 0.0)
        for edge in edges {
            let (ax, ay) = (edge.start.x - first.x, edge.start.y - first.y)
            let (bx, by) = (edge.end.x - first.x, edge.end.y - first.y)
            let cross = ax * by - bx * ay
            x += (ax + bx) * cross
            y += (ay + by) * cross
        }
        return PlanPoint(x: first.x + x / (6 * area), y: first.y + y / (6 * area))
    }

    /// Returns whether a point is inside, by the number of edges that a ray from it crosses.
    package func contains(_ point: PlanPoint) -> Bool {
        var inside = false
        for edge in edges where (edge.start.y > point.y) != (edge.end.y > point.y) {
            let share = (point.y - edge.start.y) / (edge.end.y - edge.start.y)
            if point.x < edge.start.x + share * (edge.end.x - edge.start.x) { inside.toggle() }
        }
        return inside
    }

    /// Smallest and greatest coordinates; `nil` if there are no corners.
    package var bounds: (least: PlanPoint, greatest: PlanPoint)? {
        guard let first = points.first else { return nil }
        return points.reduce((first, first)) { bounds, point in
            (
                PlanPoint(x: min(bounds.0.x, point.x), y: min(bounds.0.y, point.y)),
                PlanPoint(x: max(bounds.1.x, point.x), y: max(bounds.1.y, point.y))
            )
        }
    }
}
