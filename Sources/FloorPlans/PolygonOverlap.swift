/// Areas of polygons by strips.
///
/// A strip lies between two neighbouring heights at which a corner or a crossing of edges is. In a strip no edges
/// cross, so its part of an area is the width at its middle, times its height. Rounding errors can move a strip a
/// little, but not change an area much: shared edges and corners need no special cases.
enum PolygonOverlap {
    /// Returns the area that two polygons share, in square metres; `nil` if that takes more work than is left.
    static func area(_ one: PlanPolygon, _ other: PlanPolygon, _ effort: inout PlanEffort) -> Double? {
        guard let box = PlanBox(one.points), let otherBox = PlanBox(other.points), box.overlaps(otherBox) else {
            return 0
        }
        let range =
            max(box.least.y, otherBox.least.y)...min(box.greatest.y, otherBox.greatest.y)
        return area([one.edges, other.edges], in: range, &effort)
    }

    /// Returns the area of a polygon by the even-odd rule. It is that of `area` unless edges cross.
    static func evenOddArea(_ polygon: PlanPolygon, _ effort: inout PlanEffort) -> Double? {
        guard let box = PlanBox(polygon.points) else { return 0 }
        return area([polygon.edges], in: box.least.y...box.greatest.y, &effort)
    }

    /// Returns the area that is inside of all groups of edges.
    private static func area(
        _ groups: [[PlanSegment]], in range: ClosedRange<Double>, _ effort: inout PlanEffort
    ) -> Double? {
        let edges = groups.enumerated().flatMap { index, group in
            group.compactMap { Edge($0, group: index, in: range) }
        }
        guard edges.count > 1 else { return 0 }
        guard effort.take(edges.count * edges.count) else { return nil }
        var heights: [Double] = [range.lowerBound, range.upperBound]
        for (index, edge) in edges.enumerated() {
            for height in [edge.bottom, edge.top] where range.contains(height) { heights.append(height) }
            for other in edges[(index + 1)...] {
                if let height = edge.crossing(other), range.contains(height) { heights.append(height) }
            }
        }
        heights.sort()
        guard effort.take(heights.count * edges.count) else { return nil }
        var area = 0.0
        for (low, high) in zip(heights, heights.dropFirst()) where high > low {
            let middle = (low + high) / 2
            var crossings: [(x: Double, group: Int)] = []
            for edge in edges where edge.bottom < middle && middle < edge.top {
                crossings.append((edge.x(at: middle), edge.group))
            }
            area += width(crossings.sorted { $0.x < $1.x }, groups: groups.count) * (high - low)
        }
        return area
    }

    /// Returns how much of a line is inside of all groups, from where it crosses their edges.
    private static func width(_ crossings: [(x: Double, group: Int)], groups: Int) -> Double {
        var (inside, last, width) = (0, 0.0, 0.0)
        let all = (1 << groups) - 1
        for crossing in crossings {
            if inside == all { width += crossing.x - last }
            inside ^= 1 << crossing.group
            last = crossing.x
        }
        return width
    }

    /// An edge that is not horizontal.
    private struct Edge {
        var bottom: Double
        var top: Double
        var bottomX: Double
        var slope: Double
        var group: Int

        init?(_ segment: PlanSegment, group: Int, in range: ClosedRange<Double>) {
            let (low, high) =
                segment.start.y < segment.end.y ? (segment.start, segment.end) : (segment.end, segment.start)
            guard low.y < high.y, high.y > range.lowerBound, low.y < range.upperBound else { return nil }
            (bottom, top, bottomX) = (low.y, high.y, low.x)
            slope = (high.x - low.x) / (high.y - low.y)
            self.group = group
        }

        func x(at height: Double) -> Double { bottomX + (height - bottom) * slope }

        /// Returns the height at which two edges cross.
        func crossing(_ other: Edge) -> Double? {
            let (low, high) = (max(bottom, other.bottom), min(top, other.top))
            guard low < high else { return nil }
            let (before, after) = (x(at: low) - other.x(at: low), x(at: high) - other.x(at: high))
            guard before * after < 0 else { return nil }
            return low + (high - low) * (before / (before - after))
        }
    }
}
