import FloorPlans

/// Where a subject was during a stay.
package struct LocatedStay: Equatable, Sendable {
    /// Start and end in seconds.
    package var start: Double
    package var end: Double
    package var estimate: Estimate
    /// Probabilities by square of the floor plan, greatest first; at most `mostSquares`.
    package var squares: [Square]

    /// A square of the plan in one room.
    package struct Square: Equatable, Sendable {
        /// Floor, as an index of the building's plans.
        package var floor: Int
        /// Index of the room; `nil` for the floor between rooms.
        package var room: Int?
        /// Middle in metres.
        package var x: Double
        package var y: Double
        /// Probability from 0 to 1.
        package var probability: Double

        package init(floor: Int, room: Int?, x: Double, y: Double, probability: Double) {
            self.floor = floor
            self.room = room
            self.x = x
            self.y = y
            self.probability = probability
        }
    }

    /// Side of a square in metres, at least.
    package static let side = 2.0
    /// Number of squares that are kept; what they leave is next to nothing.
    package static let mostSquares = 32

    package init(start: Double, end: Double, estimate: Estimate, squares: [Square]) {
        self.start = start
        self.end = end
        self.estimate = estimate
        self.squares = squares
    }

    /// Creates a stay from a distribution; `nil` if it is nowhere.
    init?(_ stay: HeardStay, _ model: BuildingModel, _ floors: [[Float]?]) {
        guard
            let estimate = Estimate(
                model, floors, flattening: model.settings.settledFlattening,
                region: model.settings.settledRegionFlattening)
        else { return nil }
        var sums: [Key: (x: Double, y: Double, mass: Double)] = [:]
        for (floor, values) in floors.enumerated() {
            guard let values else { continue }
            let grid = model.grids[floor]
            for index in grid.inside where values[Int(index)] > 1e-5 {
                let center = grid.center(of: Int(index))
                let key = Key(
                    floor: floor, room: Int(grid.rooms[Int(index)]),
                    x: Int((center.x / Self.side).rounded(.down)), y: Int((center.y / Self.side).rounded(.down)))
                let mass = Double(values[Int(index)])
                sums[key, default: (0, 0, 0)].x += center.x * mass
                sums[key]!.y += center.y * mass
                sums[key]!.mass += mass
            }
        }
        let ordered = sums.sorted { ($0.value.mass, $1.key) > ($1.value.mass, $0.key) }.prefix(Self.mostSquares)
        let total = ordered.reduce(0) { $0 + $1.value.mass }
        guard total > 0 else { return nil }
        self.init(
            start: stay.start, end: stay.end, estimate: estimate,
            squares: ordered.map { key, sum in
                Square(
                    floor: key.floor, room: key.room < 0 ? nil : key.room, x: sum.x / sum.mass, y: sum.y / sum.mass,
                    probability: sum.mass / total)
            })
    }

    private struct Key: Hashable, Comparable {
        var floor: Int
        var room: Int
        var x: Int
        var y: Int

        static func < (left: Key, right: Key) -> Bool {
            (left.floor, left.room, left.x, left.y) < (right.floor, right.room, right.x, right.y)
        }
    }
}
