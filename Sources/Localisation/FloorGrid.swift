package import FloorPlans

/// A floor divided into square cells, with the room of each and the walls between them.
///
/// Cells are numbered row by row along the first axis: `ix * rows + iy`.
package struct FloorGrid: Sendable {
    /// Length of a cell's side in metres.
    package let cell: Double
    /// Corner with the least coordinates.
    package let origin: PlanPoint
    package let columns: Int
    package let rows: Int
    /// Room of each cell: its index, `noRoom` for the floor between rooms, `outside` where nobody can be.
    package let rooms: [Int16]
    /// Number of rooms of the plan.
    package let roomCount: Int
    /// Whether people can pass from a cell to the next along the first axis.
    let passableAlongX: [Bool]
    /// Whether people can pass from a cell to the next along the second axis.
    let passableAlongY: [Bool]
    /// Cells where people can be.
    package let inside: [Int32]
    /// Probability of being in each cell at rest, relative to a room.
    let rest: [Float]

    package static let noRoom: Int16 = -1
    package static let outside: Int16 = -2
    /// Probability of being on the floor between rooms, relative to a room of the same area: people pass there, and
    /// stay in rooms.
    static let restBetweenRooms: Float = 0.1
    /// Number of cells that a floor is divided into, about; large halls get larger cells.
    package static let usualCells = 2_000.0
    /// Sides of cells in metres.
    package static let sides = 0.25...2.0

    package var count: Int { columns * rows }
    /// Number of cells, up to a multiple of eight.
    var padded: Int { 8 * Cells.groups(count) }

    /// Creates the grid of a plan. A plan without area gives a grid without cells.
    package init(_ plan: FloorPlan) {
        let barriers = Barriers(plan)
        let corners = plan.outline.points + plan.rooms.flatMap(\.polygon.points)
        guard let bounds = PlanPolygon(corners).bounds, corners.allSatisfy({ $0.x.isFinite && $0.y.isFinite }) else {
            cell = 1
            origin = PlanPoint(x: 0, y: 0)
            (columns, rows, roomCount) = (0, 0, plan.rooms.count)
            (rooms, passableAlongX, passableAlongY, inside, rest) = ([], [], [], [], [])
            return
        }
        let area = max(plan.outline.area, plan.rooms.reduce(0) { $0 + $1.polygon.area })
        // A multiple of a quarter of a metre, so that equal rooms get equal cells.
        let wanted = (area / Self.usualCells).squareRoot()
        var cell = min(Self.sides.upperBound, max(Self.sides.lowerBound, (wanted * 4).rounded(.up) / 4))
        // Plans larger than any building are refused before; a grid stays bounded all the same.
        func size(_ length: Double) -> Int { max(1, Int((min(length, 1e6) / cell - 1e-9).rounded(.up))) }
        while size(bounds.greatest.x - bounds.least.x) * size(bounds.greatest.y - bounds.least.y) > Self.mostCells {
            cell *= 1.5
        }
        self.cell = cell
        // No middle of a cell is on a wall, whose coordinates are round.
        let shift = cell * 0.0173
        origin = PlanPoint(x: bounds.least.x - shift, y: bounds.least.y - shift)
        columns = size(bounds.greatest.x - origin.x)
        rows = size(bounds.greatest.y - origin.y)
        roomCount = plan.rooms.count
        (rooms, inside) = Self.roomsOfCells(plan, origin: origin, cell: cell, columns: columns, rows: rows)
        // A floor without rooms is alike everywhere.
        rest = rooms.map { $0 == Self.noRoom && !plan.rooms.isEmpty ? Self.restBetweenRooms : 1 }
        (passableAlongX, passableAlongY) = Self.passable(
            rooms, barriers, origin: origin, cell: cell, columns: columns, rows: rows)
    }

    private static let mostCells = 16_384

    /// Middle of a cell.
    package func center(of index: Int) -> PlanPoint {
        PlanPoint(
            x: origin.x + (Double(index / rows) + 0.5) * cell, y: origin.y + (Double(index % rows) + 0.5) * cell)
    }

    /// Returns the cell of a point; `nil` if it is not on the grid.
    package func index(of point: PlanPoint) -> Int? {
        let (x, y) = ((point.x - origin.x) / cell, (point.y - origin.y) / cell)
        guard x >= 0, y >= 0, x < Double(columns), y < Double(rows) else { return nil }
        return Int(x) * rows + Int(y)
    }

    /// Returns the cell nearest to a point at which somebody can be; `nil` if there is none.
    package func nearestInside(to point: PlanPoint) -> Int? {
        if let index = index(of: point), rooms[index] != Self.outside { return index }
        return inside.map(Int.init).min { center(of: $0).distance(to: point) < center(of: $1).distance(to: point) }
    }

    private static func roomsOfCells(
        _ plan: FloorPlan, origin: PlanPoint, cell: Double, columns: Int, rows: Int
    ) -> ([Int16], [Int32]) {
        var result = [Int16](repeating: outside, count: columns * rows)
        func fill(_ polygon: PlanPolygon, _ value: Int16, over old: Int16) {
            guard let bounds = polygon.bounds else { return }
            let firstX = max(0, Int((bounds.least.x - origin.x) / cell) - 1)
            let lastX = min(columns - 1, Int((bounds.greatest.x - origin.x) / cell) + 1)
            let firstY = max(0, Int((bounds.least.y - origin.y) / cell) - 1)
            let lastY = min(rows - 1, Int((bounds.greatest.y - origin.y) / cell) + 1)
            guard firstX <= lastX, firstY <= lastY else { return }
            for x in firstX...lastX {
                for y in firstY...lastY where result[x * rows + y] == old {
                    let point = PlanPoint(
                        x: origin.x + (Double(x) + 0.5) * cell, y: origin.y + (Double(y) + 0.5) * cell)
                    if polygon.contains(point) { result[x * rows + y] = value }
                }
            }
        }
        fill(plan.outline, noRoom, over: outside)
        for (index, room) in plan.rooms.enumerated() {
            fill(room.polygon, Int16(clamping: index), over: noRoom)
            // Rooms can also be drawn without an outline around them.
            fill(room.polygon, Int16(clamping: index), over: outside)
        }
        // A room smaller than a cell still has one.
        let found = Set(result)
        for (index, room) in plan.rooms.enumerated() where !found.contains(Int16(clamping: index)) {
            guard let center = room.polygon.centroid else { continue }
            let (x, y) = (Int((center.x - origin.x) / cell), Int((center.y - origin.y) / cell))
            if (0..<columns).contains(x), (0..<rows).contains(y) { result[x * rows + y] = Int16(clamping: index) }
        }
        return (result, result.indices.filter { result[$0] != outside }.map(Int32.init))
    }

    private static func passable(
        _ rooms: [Int16], _ barriers: Barriers, origin: PlanPoint, cell: Double, columns: Int, rows: Int
    ) -> ([Bool], [Bool]) {
        var alongX = [Bool](repeating: false, count: rooms.count)
        var alongY = alongX
        for x in 0..<columns {
            for y in 0..<rows where rooms[x * rows + y] != outside {
                let index = x * rows + y
                let point = PlanPoint(x: origin.x + (Double(x) + 0.5) * cell, y: origin.y + (Double(y) + 0.5) * cell)
                func isPassable(_ other: Int, _ end: PlanPoint) -> Bool {
                    rooms[other] != outside
                        && !barriers.blocks(
                            PlanSegment(point, end), slack: cell / 2, sameRoom: rooms[index] == rooms[other])
                }
                if x + 1 < columns {
                    alongX[index] = isPassable(index + rows, PlanPoint(x: point.x + cell, y: point.y))
                }
                if y + 1 < rows {
                    alongY[index] = isPassable(index + 1, PlanPoint(x: point.x, y: point.y + cell))
                }
            }
        }
        return (alongX, alongY)
    }
}
