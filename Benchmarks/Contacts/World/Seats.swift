import Glibc

/// Where people sit in a room, by its kind and its size.
enum Seats {
    /// - Parameters:
    ///   - x: metres on the plan of the floor, as `y`.
    static func of(
        _ kind: Building.Kind, _ floor: Int, _ x: ClosedRange<Double>, _ y: ClosedRange<Double>
    ) -> [Spot] {
        let (width, depth) = (x.upperBound - x.lowerBound, y.upperBound - y.lowerBound)
        func seat(_ dx: Double, _ dy: Double, facing: Double) -> Spot {
            Spot(x: x.lowerBound + dx, y: y.lowerBound + dy, floor: floor, facing: facing)
        }
        var seats: [Spot] = []
        switch kind {
        case .corridor: break
        case .office:
            // Three desks along each of two walls; neighbours are 1.5 to 2.4 m apart.
            for (row, dy) in [0.9, 2.7, 5.1].enumerated() {
                seats.append(seat(1.1, dy, facing: .pi))
                seats.append(seat(4.9, dy + (row == 1 ? -0.3 : 0), facing: 0))
            }
        case .smallOffice:
            // Two who turn their backs to each other.
            seats = [seat(0.8, 1.0, facing: .pi), seat(width - 0.8, depth - 1.1, facing: 0)]
        case .openPlan:
            // Pairs of rows that face each other, 1.6 m apart.
            for pair in 0..<max(1, Int(depth / 4.5)) {
                for column in 0..<Int((width - 0.5) / 1.65) {
                    let dx = 1.2 + 1.65 * Double(column)
                    seats.append(seat(dx, 2.2 + 4.4 * Double(pair), facing: .pi / 2))
                    seats.append(seat(dx, 3.8 + 4.4 * Double(pair), facing: -.pi / 2))
                }
            }
        case .meeting:
            let middle = ((x.lowerBound + x.upperBound) / 2, (y.lowerBound + y.upperBound) / 2)
            seats =
                depth < 5
                ? table(middle, floor, seats: 6, radius: (1.1, 0.8))
                : table(middle, floor, seats: 10, radius: (1.9, 1.2))
        case .canteen:
            for column in 0..<Int((width - 0.5) / 4.5) {
                for row in 0..<max(1, Int((depth - 0.4) / 2.8)) {
                    seats += table(
                        (x.lowerBound + 2.5 + 4.5 * Double(column), y.lowerBound + 1.6 + 2.8 * Double(row)), floor,
                        seats: 6, radius: (0.9, 0.8))
                }
            }
        case .hall:
            // Rows that face the front, at the lower end of x, 1.1 m apart; seats are 0.7 m apart.
            for row in 0..<max(1, Int((width - 5) / 1.1)) {
                for place in 0..<max(1, Int((depth - 2) / 0.7)) {
                    seats.append(seat(4 + 1.1 * Double(row), 1 + 0.7 * Double(place), facing: .pi))
                }
            }
        }
        return seats
    }

    /// Seats around a table, facing its middle.
    private static func table(
        _ middle: (x: Double, y: Double), _ floor: Int, seats: Int, radius: (x: Double, y: Double)
    ) -> [Spot] {
        (0..<seats).map { seat in
            let angle = 2 * Double.pi * Double(seat) / Double(seats)
            return Spot(
                x: middle.x + radius.x * cos(angle), y: middle.y + radius.y * sin(angle), floor: floor,
                facing: angle + .pi)
        }
    }
}
