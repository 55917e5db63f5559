import RealModule

/// The likelihood of one window's readings in each cell of a floor, with the subject's power as an unknown.
///
/// With residuals `e` of weights `w`, and a power of normal distribution with variance `v`, the logarithm of the likelihood
/// without the power is `-(Σ w e² - (Σ w e)² / (Σ w + 1/v)) / 2 - ln(Σ w + 1/v) / 2`, and the power's posterior
/// distribution in a cell has the mean `Σ w e / (Σ w + 1/v)` and the variance `1 / (Σ w + 1/v)`.
struct CellLikelihood: Sendable {
    /// Logarithm of the likelihood by cell, without what is equal in all cells of the building.
    private(set) var logarithms: [Float] = []
    /// Sums of the weights by cell, with `1/v`.
    private(set) var weights: [Float] = []
    /// Weighted sums of the residuals by cell.
    private(set) var sums: [Float] = []
    private var squares: [Float] = []

    /// Computes the likelihood of signals.
    ///
    /// - Parameters:
    ///   - maps: maps of all receivers on the floor.
    ///   - share: share of a reading that counts, from 0 to 1.
    ///   - power: what is known of the subject's power.
    mutating func compute(
        _ signals: [HeardSignal], _ maps: [RadioMap], cells: Int, share: Float, power: TransmitPower
    ) {
        reset(&weights, cells, to: Float(1 / power.variance))
        reset(&sums, cells)
        reset(&squares, cells)
        reset(&logarithms, cells)
        for signal in signals { add(Float(signal.rssi - power.mean), maps[signal.receiver], share) }
        // Without variances by cell the last term is equal everywhere.
        let isVaried = maps.contains { !$0.precision.isEmpty }
        withUnsafe { logarithms, weights, sums, squares in
            for cell in logarithms.indices {
                logarithms[cell] -= (squares[cell] - sums[cell] * sums[cell] / weights[cell]) / 2
            }
            if isVaried {
                for cell in logarithms.indices { logarithms[cell] -= .log(weights[cell]) / 2 }
            }
        }
        if isVaried {
            let constant = signals.reduce(Float(0)) { sum, signal in
                let map = maps[signal.receiver]
                return map.precision.isEmpty ? sum + share / 2 * .log(map.usualPrecision) : sum
            }
            for cell in logarithms.indices { logarithms[cell] += constant }
        }
    }

    private func reset(_ values: inout [Float], _ count: Int, to value: Float = 0) {
        if values.count != count {
            values = Array(repeating: value, count: count)
        } else {
            for index in values.indices { values[index] = value }
        }
    }

    private mutating func add(_ rssi: Float, _ map: RadioMap, _ share: Float) {
        let usual = map.usualPrecision * share
        withUnsafe { logarithms, weights, sums, squares in
            if map.mean.isEmpty {
                let residual = rssi - map.constant
                let product = usual * residual
                for cell in weights.indices {
                    weights[cell] += usual
                    sums[cell] += product
                    squares[cell] += product * residual
                }
            } else if map.precision.isEmpty {
                map.mean.withUnsafeBufferPointer { mean in
                    for cell in weights.indices {
                        let residual = rssi - mean[cell]
                        let product = usual * residual
                        weights[cell] += usual
                        sums[cell] += product
                        squares[cell] += product * residual
                    }
                }
            } else {
                for cell in weights.indices {
                    let residual = rssi - map.mean[cell]
                    let weight = map.precision[cell] * share
                    let product = weight * residual
                    weights[cell] += weight
                    sums[cell] += product
                    squares[cell] += product * residual
                    logarithms[cell] += map.logPrecision[cell] * share
                }
            }
        }
    }

    private typealias Cells = UnsafeMutableBufferPointer<Float>

    private mutating func withUnsafe(_ body: (Cells, Cells, Cells, Cells) -> Void) {
        logarithms.withUnsafeMutableBufferPointer { logarithms in
            weights.withUnsafeMutableBufferPointer { weights in
                sums.withUnsafeMutableBufferPointer { sums in
                    squares.withUnsafeMutableBufferPointer { squares in
                        body(logarithms, weights, sums, squares)
                    }
                }
            }
        }
    }
}
