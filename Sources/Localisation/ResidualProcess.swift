import FloorPlans
import RealModule

/// A Gaussian process of a receiver's residuals on one floor, learnt at known positions.
///
/// The kernel has four parts: the receiver's offset, what is alike in a room, what is alike over some metres, and what
/// is alike around a person. Walls, doors and furniture make the second: a receiver hears a whole room by so much less,
/// and the next one not. Source: C. E. Rasmussen and C. K. I. Williams, "Gaussian Processes for Machine Learning",
/// 2006, algorithm 2.1.
enum ResidualProcess {
    /// Variance of a receiver's offset in dB².
    private static let offset = 4.0
    /// Variance of what a room has in common, in dB².
    ///
    /// Two or three walls of 2 to 8 dB each have this variance. Chosen on the flat and on simulated buildings with
    /// shadows of each spot, of each room, and of neither; at 16 dB² rooms of stays are found equally often.
    private static let room = 9.0
    /// Parts of the kernel: variance in dB², and length over which residuals are alike in metres.
    private static let parts: [(variance: Double, length: Double)] = [(6, 2.5), (6, 0.7)]
    /// Variance of one reading by fading, in dB².
    private static let noise = 40.0
    /// Number of readings of a position after which its mean gets no better, because they share shadowing.
    private static let mostReadings = 4.0
    /// Side of the squares in which readings are averaged, in metres.
    private static let square = 0.25
    /// Number of squares of a receiver that count at most; more are averaged in larger squares.
    private static let mostSquares = 400

    /// Variance of a residual where nothing is known, in dB².
    static func unknown(_ grid: FloorGrid) -> Double {
        parts.reduce(offset + common(grid)) { $0 + $1.variance }
    }

    /// A floor without rooms says nothing of walls.
    private static func common(_ grid: FloorGrid) -> Double { grid.roomCount > 0 ? room : 0 }

    /// A mean of residuals at a position.
    struct Sample {
        var position: PlanPoint
        /// Mean residual in dB.
        var mean: Double
        var count: Int
    }

    /// Returns the means of residuals by square, in a fixed order.
    static func samples(_ residuals: [(position: PlanPoint, residual: Double)]) -> [Sample] {
        var side = square
        while true {
            var squares: [SquareKey: (x: Double, y: Double, sum: Double, count: Int)] = [:]
            for (position, residual) in residuals {
                let key = SquareKey(
                    x: Int((position.x / side).rounded(.down)), y: Int((position.y / side).rounded(.down)))
                squares[key, default: (0, 0, 0, 0)].x += position.x
                squares[key]!.y += position.y
                squares[key]!.sum += residual
                squares[key]!.count += 1
            }
            if squares.count > mostSquares {
                side *= 2
                continue
            }
            return squares.sorted { ($0.key.x, $0.key.y) < ($1.key.x, $1.key.y) }.map { _, sums in
                let count = Double(sums.count)
                return Sample(
                    position: PlanPoint(x: sums.x / count, y: sums.y / count), mean: sums.sum / count,
                    count: sums.count)
            }
        }
    }

    private struct SquareKey: Hashable {
        var x: Int
        var y: Int
    }

    /// Returns the mean and the variance of the residual in each cell; `nil` without samples.
    static func predict(_ samples: [Sample], _ grid: FloorGrid) -> (residual: [Float], variance: [Float])? {
        guard !samples.isEmpty else { return nil }
        let common = common(grid)
        let rooms = samples.map { grid.index(of: $0.position).map { grid.rooms[$0] } ?? FloorGrid.outside }
        let matrix = samples.indices.map { row in
            (0...row).map { column in
                kernel(samples[row].position, samples[column].position)
                    + (rooms[row] == rooms[column] ? common : 0)
                    + (row == column ? noise / min(mostReadings, Double(samples[row].count)) : 0)
            }
        }
        guard let factor = CholeskyFactor(matrix) else { return nil }
        let weights = factor.solve(samples.map(\.mean))
        let unknown = unknown(grid)
        var residual = [Float](repeating: 0, count: grid.count)
        var variance = [Float](repeating: Float(unknown), count: grid.count)
        for index in grid.inside {
            let center = grid.center(of: Int(index))
            let room = grid.rooms[Int(index)]
            let near = samples.indices.map {
                kernel(center, samples[$0].position) + (rooms[$0] == room ? common : 0)
            }
            residual[Int(index)] = Float(zip(near, weights).reduce(0) { $0 + $1.0 * $1.1 })
            let known = factor.forward(near).reduce(0) { $0 + $1 * $1 }
            variance[Int(index)] = Float(max(0, unknown - known))
        }
        return (residual, variance)
    }

    private static func kernel(_ a: PlanPoint, _ b: PlanPoint) -> Double {
        let (dx, dy) = (a.x - b.x, a.y - b.y)
        let squared = dx * dx + dy * dy
        return parts.reduce(offset) { $0 + $1.variance * .exp(-squared / (2 * $1.length * $1.length)) }
    }
}
