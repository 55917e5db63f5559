/// A rectangle along the axes of a floor plan.
struct PlanBox: Equatable, Sendable {
    var least: PlanPoint
    var greatest: PlanPoint

    /// Smallest rectangle around points; `nil` if there are none.
    init?(_ points: some Sequence<PlanPoint>) {
        var iterator = points.makeIterator()
        guard let first = iterator.next() else { return nil }
        (least, greatest) = (first, first)
        while let point = iterator.next() {
            least = PlanPoint(x: min(least.x, point.x), y: min(least.y, point.y))
            greatest = PlanPoint(x: max(greatest.x, point.x), y: max(greatest.y, point.y))
        }
    }

    private init(least: PlanPoint, greatest: PlanPoint) {
        (self.least, self.greatest) = (least, greatest)
    }

    /// The origin alone.
    static let origin = PlanBox(least: PlanPoint(x: 0, y: 0), greatest: PlanPoint(x: 0, y: 0))

    var width: Double { greatest.x - least.x }
    var height: Double { greatest.y - least.y }

    /// Returns whether a point is inside or at most `margin` metres outside.
    func contains(_ point: PlanPoint, margin: Double = 0) -> Bool {
        point.x >= least.x - margin && point.x <= greatest.x + margin && point.y >= least.y - margin
            && point.y <= greatest.y + margin
    }

    /// Returns whether two rectangles share more than an edge.
    func overlaps(_ other: PlanBox) -> Bool {
        least.x < other.greatest.x && other.least.x < greatest.x && least.y < other.greatest.y
            && other.least.y < greatest.y
    }
}
