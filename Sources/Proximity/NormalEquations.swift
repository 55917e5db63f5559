/// Symmetric positive definite system of linear equations, solved by Cholesky decomposition.
struct NormalEquations {
    private let unknowns: Int
    /// Upper triangle in rows.
    private var matrix: [Double]
    private var right: [Double]

    init(unknowns: Int) {
        self.unknowns = unknowns
        matrix = Array(repeating: 0, count: unknowns * unknowns)
        right = Array(repeating: 0, count: unknowns)
    }

    /// Adds a value to an element of the upper triangle.
    ///
    /// - Precondition: `row <= column`.
    mutating func add(_ row: Int, _ column: Int, _ value: Double) { matrix[row * unknowns + column] += value }

    mutating func addRight(_ row: Int, _ value: Double) { right[row] += value }

    /// Returns the solution; values are not numbers when the matrix is not positive definite.
    consuming func solution() -> [Double] {
        for pivot in 0..<unknowns {
            let root = matrix[pivot * unknowns + pivot].squareRoot()
            for column in pivot..<unknowns { matrix[pivot * unknowns + column] /= root }
            for row in (pivot + 1)..<max(unknowns, pivot + 1) {
                let factor = matrix[pivot * unknowns + row]
                guard factor != 0 else { continue }
                for column in row..<unknowns {
                    matrix[row * unknowns + column] -= factor * matrix[pivot * unknowns + column]
                }
            }
        }
        for row in 0..<unknowns {
            for earlier in 0..<row { right[row] -= matrix[earlier * unknowns + row] * right[earlier] }
            right[row] /= matrix[row * unknowns + row]
        }
        for row in (0..<unknowns).reversed() {
            for later in (row + 1)..<max(unknowns, row + 1) {
                right[row] -= matrix[row * unknowns + later] * right[later]
            }
            right[row] /= matrix[row * unknowns + row]
        }
        return right
    }
}
