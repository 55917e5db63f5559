/// The spread of a distribution over a floor in a fixed time, with walls as barriers.
///
/// One step of the heat equation by implicit Euler, one axis after the other. Each axis is a tridiagonal system for
/// every row of cells: it keeps the sum and the sign of the distribution for any time step. Where rest is less
/// probable, people enter less often than they leave, so that the distribution at rest stays as it is. Source: D. W.
/// Peaceman and H. H. Rachford, "The numerical solution of parabolic and elliptic differential equations", 1955;
/// locally one-dimensional form of N. N. Yanenko.
struct Diffusion: Sendable {
    private let columns: Int
    private let rows: Int
    /// Probability of being in each cell at rest, relative to a room.
    private let rest: [Float]
    private let alongX: Factors
    private let alongY: Factors

    /// Factors of the elimination for each cell of an axis.
    private struct Factors {
        /// Share of the cell before that is added before the elimination.
        var forward: [Float]
        /// Inverse of the pivot.
        var inverse: [Float]
        /// Share of the cell after that is added after the elimination.
        var backward: [Float]
    }

    /// Number of times that both axes follow each other. More of them round off the spread.
    private static let rounds = 2

    /// Creates the spread of a variance, in square metres along each axis.
    init(_ grid: FloorGrid, variance: Double) {
        columns = grid.columns
        rows = grid.rows
        let rate = variance / Double(Self.rounds) / 2 / (grid.cell * grid.cell)
        rest = grid.rest
        alongX = Self.factors(
            grid, grid.passableAlongX, rate, lines: grid.rows, stride: grid.rows, length: grid.columns, step: 1)
        alongY = Self.factors(
            grid, grid.passableAlongY, rate, lines: grid.columns, stride: 1, length: grid.rows, step: grid.rows)
    }

    /// - Parameters:
    ///   - stride: distance of a cell from the next of its line.
    ///   - step: distance of a line's first cell from that of the next line.
    private static func factors(
        _ grid: FloorGrid, _ passable: [Bool], _ rate: Double, lines: Int, stride: Int, length: Int, step: Int
    ) -> Factors {
        var factors = Factors(
            forward: Array(repeating: 0, count: passable.count), inverse: Array(repeating: 1, count: passable.count),
            backward: Array(repeating: 0, count: passable.count))
        for line in 0..<lines {
            // Shares that pass from the cell before to this one, and back.
            var entering = 0.0
            var returning = 0.0
            var pivot = 1.0
            for place in 0..<length {
                let index = line * step + place * stride
                var (onward, back) = (0.0, 0.0)
                if passable[index] {
                    let (here, next) = (Double(grid.rest[index]), Double(grid.rest[index + stride]))
                    onward = rate * min(1, next / here)
                    back = rate * min(1, here / next)
                }
                let share = place == 0 ? 0 : entering / pivot
                pivot = 1 + onward + returning - returning * share
                factors.forward[index] = Float(share)
                factors.inverse[index] = Float(1 / pivot)
                factors.backward[index] = Float(back / pivot)
                (entering, returning) = (onward, back)
            }
        }
        return factors
    }

    /// Spreads a distribution. Numbers after the last cell are left alone.
    func spread(_ values: inout [Float]) {
        for _ in 0..<Self.rounds {
            solveAlongX(&values)
            solveAlongY(&values)
        }
    }

    /// Spreads a likelihood backwards in time: the transpose of `spread`.
    ///
    /// Both directions are in balance at rest, so the transpose is the same between a product and a quotient.
    func spreadBack(_ values: inout [Float]) {
        for index in rest.indices { values[index] *= rest[index] }
        for _ in 0..<Self.rounds {
            solveAlongY(&values)
            solveAlongX(&values)
        }
        for index in rest.indices { values[index] /= rest[index] }
    }

    private func solveAlongX(_ values: inout [Float]) {
        guard columns > 1 else { return }
        values.withUnsafeMutableBufferPointer { values in
            alongX.forward.withUnsafeBufferPointer { forward in
                for index in rows..<forward.count { values[index] += forward[index] * values[index - rows] }
            }
            alongX.inverse.withUnsafeBufferPointer { inverse in
                alongX.backward.withUnsafeBufferPointer { backward in
                    for index in (inverse.count - rows)..<inverse.count { values[index] *= inverse[index] }
                    var column = columns - 2
                    while column >= 0 {
                        for index in (column * rows)..<(column * rows + rows) {
                            values[index] = values[index] * inverse[index] + backward[index] * values[index + rows]
                        }
                        column -= 1
                    }
                }
            }
        }
    }

    /// Four columns are solved at a time: each cell waits for the one before in its column, and not for the others.
    private func solveAlongY(_ values: inout [Float]) {
        guard rows > 1 else { return }
        values.withUnsafeMutableBufferPointer { values in
            alongY.forward.withUnsafeBufferPointer { forward in
                alongY.inverse.withUnsafeBufferPointer { inverse in
                    alongY.backward.withUnsafeBufferPointer { backward in
                        var column = 0
                        while column < columns {
                            let first = column * rows
                            if column + 4 <= columns {
                                let starts = SIMD4(first, first + rows, first + 2 * rows, first + 3 * rows)
                                solve(values, forward, inverse, backward, starts)
                                column += 4
                            } else {
                                solve(values, forward, inverse, backward, first)
                                column += 1
                            }
                        }
                    }
                }
            }
        }
    }

    /// Solves four columns. The factors are zero where a column begins or ends.
    @inline(__always)
    private func solve(
        _ values: UnsafeMutableBufferPointer<Float>, _ forward: UnsafeBufferPointer<Float>,
        _ inverse: UnsafeBufferPointer<Float>, _ backward: UnsafeBufferPointer<Float>, _ starts: SIMD4<Int>
    ) {
        let (a, b, c, d) = (starts[0], starts[1], starts[2], starts[3])
        var (w, x, y, z): (Float, Float, Float, Float) = (0, 0, 0, 0)
        for row in 0..<rows {
            w = values[a + row] + forward[a + row] * w
            x = values[b + row] + forward[b + row] * x
            y = values[c + row] + forward[c + row] * y
            z = values[d + row] + forward[d + row] * z
            values[a + row] = w
            values[b + row] = x
            values[c + row] = y
            values[d + row] = z
        }
        (w, x, y, z) = (0, 0, 0, 0)
        var row = rows - 1
        while row >= 0 {
            w = values[a + row] * inverse[a + row] + backward[a + row] * w
            x = values[b + row] * inverse[b + row] + backward[b + row] * x
            y = values[c + row] * inverse[c + row] + backward[c + row] * y
            z = values[d + row] * inverse[d + row] + backward[d + row] * z
            values[a + row] = w
            values[b + row] = x
            values[c + row] = y
            values[d + row] = z
            row -= 1
        }
    }

    /// Solves one column.
    private func solve(
        _ values: UnsafeMutableBufferPointer<Float>, _ forward: UnsafeBufferPointer<Float>,
        _ inverse: UnsafeBufferPointer<Float>, _ backward: UnsafeBufferPointer<Float>, _ start: Int
    ) {
        var before: Float = 0
        for index in start..<start + rows {
            before = values[index] + forward[index] * before
            values[index] = before
        }
        var after: Float = 0
        for index in (start..<start + rows).reversed() {
            after = values[index] * inverse[index] + backward[index] * after
            values[index] = after
        }
    }
}
