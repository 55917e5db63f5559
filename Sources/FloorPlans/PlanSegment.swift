/// A straight line between two points of a floor plan.
package struct PlanSegment: Hashable, Sendable {
    package var start: PlanPoint
    package var end: PlanPoint

    package init(_ start: PlanPoint, _ end: PlanPoint) {
        self.start = start
        self.end = end
    }

    /// Length in metres.
    package var length: Double { start.distance(to: end) }

    /// Returns the point at a share of the length, from 0 at the start to 1 at the end.
    package func point(at share: Double) -> PlanPoint {
        PlanPoint(x: start.x + (end.x - start.x) * share, y: start.y + (end.y - start.y) * share)
    }

    /// Returns the distance of a point from the nearest point of the segment, in metres, and that point's share of the
    /// length.
    package func nearest(to point: PlanPoint) -> (distance: Double, share: Double) {
        let (dx, dy) = (end.x - start.x, end.y - start.y)
        let squared = dx * dx + dy * dy
        guard squared > 0 else { return (start.distance(to: point), 0) }
        let share = min(1, max(0, ((point.x - start.x) * dx + (point.y - start.y) * dy) / squared))
        return (self.point(at: share).distance(to: point), share)
    }

    /// Returns the share of this segment's length at which it crosses another one; `nil` if they do not cross.
    ///
    /// The ends belong to the segments. Parallel segments never cross, even if they overlap.
    package func crossing(with other: PlanSegment) -> Double? {
        let (rx, ry) = (end.x - start.x, end.y - start.y)
        let (sx, sy) = (other.end.x - other.start.x, other.end.y - other.start.y)
        let product = rx * sy - ry * sx
        guard product != 0 else { return nil }
        let (qx, qy) = (other.start.x - start.x, other.start.y - start.y)
        let share = (qx * sy - qy * sx) / product
        let otherShare = (qx * ry - qy * rx) / product
        guard (0...1).contains(share), (0...1).contains(otherShare) else { return nil }
        return share
    }
}
