import FloorPlans
import RealModule

/// The points of a building at which receivers hang or can hang, and what a signal loses between them.
///
/// Each floor has candidates, which are squares of the floor within one room, and behind them known positions.
struct PlacementPoints: Sendable {
    struct Point: Sendable {
        var position: PlanPoint
        /// Height above the floor in metres.
        var height: Double
    }

    /// A square of a floor, or as much of it as is in one room.
    struct Candidate: Sendable {
        var position: PlanPoint
        /// Room as in `FloorGrid`.
        var room: Int16
        /// Logarithm of the prior probability, up to a constant.
        var logPrior: Float
    }

    /// Candidates by floor; none on floors where no position is wanted.
    let candidates: [[Candidate]]
    /// Half of the side of a floor's squares in metres.
    let slack: [Double]
    /// Points by floor: candidates, then known positions.
    private(set) var points: [[Point]]
    /// Ceilings between the floors.
    let storeys: Storeys
    private let plans: [FloorPlan]
    private let barriers: [Barriers]
    private let radio: RadioSettings
    /// Losses from a point to all candidates of a floor in dB, by both floors and the point; empty until they are needed.
    private var rows: [[[Float]]]

    /// Number of candidates of a floor, about, and at most.
    private static let usualCandidates = 500
    private static let mostCandidates = 600

    /// Creates the points of a building without known positions.
    ///
    /// - Parameter floors: floors on which positions are wanted.
    init(_ plans: [FloorPlan], wanted floors: Set<Int>, _ settings: PlacementSettings) {
        self.plans = plans
        radio = settings.radio
        barriers = plans.map { Barriers($0) }
        storeys = Storeys(plans, grids: plans.map { FloorGrid($0) })
        var candidates: [[Candidate]] = []
        var slack: [Double] = []
        for (floor, plan) in plans.enumerated() {
            let found = floors.contains(floor) ? Self.candidates(of: plan, settings) : ([], 0)
            candidates.append(found.0)
            slack.append(found.1 / 2)
        }
        self.candidates = candidates
        self.slack = slack
        points = candidates.map { floor in
            floor.map { Point(position: $0.position, height: PlacementReceiver.usualHeight) }
        }
        rows = Array(repeating: [], count: plans.count * plans.count)
    }

    /// Adds a known position, and returns its index on its floor.
    mutating func add(_ position: PlanPoint, height: Double, on floor: Int) -> Int {
        points[floor].append(Point(position: position, height: height))
        return points[floor].count - 1
    }

    /// Computes the losses from a point to all candidates of a floor, if that was not done yet.
    mutating func prepare(from point: Int, on floor: Int, to other: Int) {
        let table = floor * plans.count + other
        if rows[table].count < points[floor].count {
            rows[table] += Array(repeating: [], count: points[floor].count - rows[table].count)
        }
        guard rows[table][point].isEmpty else { return }
        let start = points[floor][point]
        let back = other * plans.count + floor
        rows[table][point] = candidates[other].indices.map { end in
            // The loss is the same in both directions.
            if point < candidates[floor].count, end < rows[back].count, !rows[back][end].isEmpty {
                return rows[back][end][point]
            }
            return Float(loss(start, floor, points[other][end], other))
        }
    }

    /// Calls `body` with the losses from a point to all candidates of a floor in dB; they must have been prepared.
    @inline(__always)
    func withLosses(from point: Int, on floor: Int, to other: Int, _ body: (UnsafeBufferPointer<Float>) -> Void) {
        rows[floor * plans.count + other][point].withUnsafeBufferPointer(body)
    }

    /// Returns the loss between two points in dB.
    func loss(_ point: Int, on floor: Int, _ otherPoint: Int, on other: Int) -> Double {
        loss(points[floor][point], floor, points[other][otherPoint], other)
    }

    private func loss(_ start: Point, _ floor: Int, _ end: Point, _ other: Int) -> Double {
        let flat = start.position.distance(to: end.position)
        let rise = plans[floor].elevation + start.height - plans[other].elevation - end.height
        let distance = max(radio.leastDistance, (flat * flat + rise * rise).squareRoot())
        let path = PlanSegment(start.position, end.position)
        let walls = barriers[min(floor, other)].attenuation(path, doorShare: radio.doorShare)
        // A path between two floors runs on one of them for half of its way, about.
        return 10 * radio.exponent * .log10(distance) + walls * (floor == other ? 1 : 0.5)
            + storeys[floor, other].attenuation
    }

    /// Returns the squares of a floor, each within one room, and the length of their sides in metres.
    private static func candidates(of plan: FloorPlan, _ settings: PlacementSettings) -> ([Candidate], Double) {
        let grid = FloorGrid(plan)
        guard !grid.inside.isEmpty else { return ([], 0) }
        var side = max(1, Int((Double(grid.inside.count) / Double(usualCandidates)).squareRoot().rounded(.up)))
        var squares = squares(of: grid, side: side, isByRoom: true)
        // Where there are so many rooms, squares are not divided by them.
        if squares.count > mostCandidates { squares = Self.squares(of: grid, side: side, isByRoom: false) }
        while squares.count > mostCandidates {
            side += 1
            squares = Self.squares(of: grid, side: side, isByRoom: false)
        }
        let length = Double(side) * grid.cell
        let reach = max(leastWallReach, 0.6 * length)
        let outside = plan.outline.edges
        let edges = plan.rooms.map(\.polygon.edges)
        return (
            squares.map { square in
                // What is between rooms has the walls of all of them.
                let walls = square.room >= 0 ? edges[Int(square.room)] : outside + edges.joined()
                let isAtWall = walls.contains { $0.nearest(to: square.position).distance <= reach }
                var prior = Double(square.cells) * (isAtWall ? settings.wallPreference : 1)
                if square.room == FloorGrid.noRoom, !plan.rooms.isEmpty { prior *= settings.betweenRooms }
                return Candidate(position: square.position, room: square.room, logPrior: Float(Double.log(prior)))
            }, length
        )
    }

    /// Distance from a wall at which a receiver hangs on it, in metres.
    private static let leastWallReach = 0.6

    private struct Square {
        var position: PlanPoint
        var room: Int16
        var cells: Int
    }

    private static func squares(of grid: FloorGrid, side: Int, isByRoom: Bool) -> [Square] {
        var members: [SquareKey: [Int]] = [:]
        for index in grid.inside.map(Int.init) {
            let key = SquareKey(
                column: index / grid.rows / side, row: index % grid.rows / side, room: isByRoom ? grid.rooms[index] : 0)
            members[key, default: []].append(index)
        }
        return members.sorted { $0.key < $1.key }.map { _, cells in
            let centers = cells.map(grid.center)
            let middle = PlanPoint(
                x: centers.reduce(0) { $0 + $1.x } / Double(cells.count),
                y: centers.reduce(0) { $0 + $1.y } / Double(cells.count))
            // A cell's middle, which is in its room for certain.
            let best = cells.min {
                (grid.center(of: $0).distance(to: middle), $0) < (grid.center(of: $1).distance(to: middle), $1)
            }
            let cell = best ?? cells[0]
            return Square(position: grid.center(of: cell), room: grid.rooms[cell], cells: cells.count)
        }
    }

    private struct SquareKey: Hashable, Comparable {
        var column: Int
        var row: Int
        var room: Int16

        static func < (left: Self, right: Self) -> Bool {
            (left.column, left.row, left.room) < (right.column, right.row, right.room)
        }
    }
}
