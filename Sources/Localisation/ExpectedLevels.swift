/// What a receiver's links are expected to measure, without the losses that depend on its position.
struct ExpectedLevels {
    /// Level of each link less the reference power and the expected gains, in dB.
    private var excess: [Double]
    private let factor: CholeskyFactor

    /// Creates the distribution of the levels of links to receivers with known positions; `nil` if it has none.
    ///
    /// - Parameters:
    ///   - near: the links, with the receivers at their other ends.
    ///   - loss: loss of a link between known positions in dB.
    init?(
        _ near: [(link: Int, other: Int)], _ links: MutualLinks, _ settings: PlacementSettings,
        loss: (MutualLinks.Link) -> Double?
    ) {
        let gain = settings.gainDeviation * settings.gainDeviation
        let mean = settings.meanGainDeviation * settings.meanGainDeviation
        // Unknowns: the gains of the others, then the mean gain.
        let order = Dictionary(uniqueKeysWithValues: near.enumerated().map { ($1.other, $0) })
        let count = near.count + 1
        var precision = (0..<count).map { row in
            (0...row).map { $0 == row ? 1 / (row < count - 1 ? gain : mean) : 0.0 }
        }
        var right = Array(repeating: 0.0, count: count)
        func add(_ coefficients: [(Int, Double)], _ weight: Double, _ value: Double) {
            for (row, one) in coefficients {
                right[row] += weight * one * value
                for (column, other) in coefficients where column <= row {
                    precision[row][column] += weight * one * other
                }
            }
        }
        for (own, start) in order.sorted(by: { $0.value < $1.value }) {
            for (index, other) in links.neighbours[own] {
                guard let end = order[other], end < start, let loss = loss(links.links[index]) else { continue }
                let link = links.links[index]
                add(
                    [(start, 1), (end, 1), (count - 1, 2)], link.weight,
                    link.level - settings.radio.referencePower + loss)
            }
        }
        guard let inverse = CholeskyFactor(precision) else { return nil }
        let solution = inverse.solve(right)
        let columns = (0..<count).map { index in
            inverse.solve((0..<count).map { $0 == index ? 1 : 0 })
        }
        excess = near.indices.map { index in
            links.links[near[index].link].level - settings.radio.referencePower - solution[index]
                - 2 * solution[count - 1]
        }
        // Covariance of what the links measure: of the others' gains and the mean, of the own gain, and of the links.
        let covariance = near.indices.map { row in
            (0...row).map { column -> Double in
                var value = columns[row][column] + 2 * columns[row][count - 1] + 2 * columns[column][count - 1]
                value += 4 * columns[count - 1][count - 1] + gain
                return row == column ? value + 1 / links.links[near[row].link].weight : value
            }
        }
        guard let factor = CholeskyFactor(covariance) else { return nil }
        self.factor = factor
    }

    /// Logarithm of the likelihood of the levels with losses in dB, up to a constant.
    func logLikelihood(_ losses: [Double]) -> Double {
        let residual = factor.forward(zip(excess, losses).map { $0 + $1 })
        return -residual.reduce(0) { $0 + $1 * $1 } / 2
    }
}
