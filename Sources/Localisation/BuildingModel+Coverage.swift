package import FloorPlans

/// Level at which the best receiver is expected to hear a badge, in squares of a floor.
package struct FloorCoverage: Equatable, Sendable {
    /// A part of the floor.
    package struct Square: Equatable, Sendable {
        /// Corner with the least coordinates.
        package var corner: PlanPoint
        /// Index of the room in the plan; `nil` between rooms.
        package var room: Int?
        /// Expected level of the receiver that hears a badge best, in dBm; `nil` without any receiver.
        package var level: Double?

        package init(corner: PlanPoint, room: Int?, level: Double?) {
            self.corner = corner
            self.room = room
            self.level = level
        }
    }

    /// Side of a square in metres.
    package var side: Double
    /// Squares where somebody can be, row by row along the first axis.
    package var squares: [Square]

    package init(side: Double, squares: [Square]) {
        self.side = side
        self.squares = squares
    }

    /// Side of a square in metres, if the floor has not too many of them.
    package static let usualSide = 1.0
    /// Maximum number of squares in the rectangle around a floor.
    package static let mostSquares = 5000
}

extension BuildingModel {
    /// Returns how loudly the best receiver is expected to hear a badge of the reference power on a floor; `nil` if the
    /// building does not have the floor.
    ///
    /// - Parameter path: `site/building/floor`.
    package func coverage(of path: String) -> FloorCoverage? {
        guard let floor = plans.firstIndex(where: { $0.path == path }) else { return nil }
        let grid = grids[floor]
        let (width, height) = (Double(grid.columns) * grid.cell, Double(grid.rows) * grid.cell)
        var side = FloorCoverage.usualSide
        func count(_ length: Double) -> Int { max(0, Int((min(length, 1e5) / side).rounded(.up))) }
        while count(width) * count(height) > FloorCoverage.mostSquares { side *= 1.25 }
        var squares: [FloorCoverage.Square] = []
        for row in 0..<count(height) {
            for column in 0..<count(width) {
                let corner = PlanPoint(
                    x: grid.origin.x + Double(column) * side, y: grid.origin.y + Double(row) * side)
                let middle = PlanPoint(x: corner.x + side / 2, y: corner.y + side / 2)
                guard let cell = grid.index(of: middle), grid.rooms[cell] != FloorGrid.outside else { continue }
                let room = grid.rooms[cell]
                squares.append(
                    FloorCoverage.Square(
                        corner: corner, room: room == FloorGrid.noRoom ? nil : Int(room),
                        level: receivers.indices.map { expected(floor: floor, receiver: $0, cell: cell) }.max()))
            }
        }
        return FloorCoverage(side: side, squares: squares)
    }
}
