import RealModule

/// The lower triangular factor of a symmetric positive definite matrix: A = L Lᵀ.
struct CholeskyFactor {
    private let size: Int
    /// Rows of the factor, one after the other, without what is above the diagonal.
    private var rows: [[Double]]

    /// Factors a matrix; `nil` if it is not positive definite.
    ///
    /// - Parameter matrix: rows of the lower triangle: row `i` has `i + 1` numbers.
    init?(_ matrix: [[Double]]) {
        size = matrix.count
        rows = matrix
        for row in 0..<size {
            for column in 0...row {
                var sum = matrix[row][column]
                rows[row].withUnsafeBufferPointer { left in
                    rows[column].withUnsafeBufferPointer { right in
                        for index in 0..<column { sum -= left[index] * right[index] }
                    }
                }
                if row == column {
                    guard sum > 0, sum.isFinite else { return nil }
                    rows[row][column] = sum.squareRoot()
                } else {
                    rows[row][column] = sum / rows[column][column]
                }
            }
        }
    }

    /// Solves L y = b.
    func forward(_ right: [Double]) -> [Double] {
        var result = right
        for row in 0..<size {
            var sum = result[row]
            rows[row].withUnsafeBufferPointer { factor in
                result.withUnsafeBufferPointer { known in
                    for index in 0..<row { sum -= factor[index] * known[index] }
                }
            }
            result[row] = sum / rows[row][row]
        }
        return result
    }

    /// Solves A x = b.
    func solve(_ right: [Double]) -> [Double] {
        var result = forward(right)
        for row in stride(from: size - 1, through: 0, by: -1) {
            let value = result[row] / rows[row][row]
            result[row] = value
            for index in 0..<row { result[index] -= rows[row][index] * value }
        }
        return result
    }
}
