import Glibc

/// Plain inversion of the fitted path loss.
struct InversionBaseline: DistanceEstimator {
    let name = "inv"
    private var fit: PathLossFit?
    /// A flat fit would put everybody anywhere.
    private static let smallestExponent = 0.1
    /// Metres that are believed: up to twice the largest that it was fitted on.
    private var range = 0.1...10.0

    mutating func fit(_ training: [DistanceWindow]) {
        fit = PathLossFit(training)
        range = 0.1...max(1, 2 * (training.map(\.metres).max() ?? 5))
    }

    func posterior(_ window: DistanceWindow) -> any Posterior {
        guard let fit else { return PointPosterior(metres: 1) }
        let slope = 10 * max(Self.smallestExponent, fit.exponent) / log(10)
        let mean = (fit.atOneMetre - window.medianRSSI) / slope
        return LogNormalPosterior(
            mean: min(max(mean, log(range.lowerBound)), log(range.upperBound)),
            deviation: fit.shadowing / slope)
    }
}

/// Regression of the logarithm of the distance on the median RSSI: the shrunken estimate.
struct RegressionBaseline: DistanceEstimator {
    let name = "reg"
    private var line: Line?

    mutating func fit(_ training: [DistanceWindow]) { line = Line(training.map { ($0.medianRSSI, log($0.metres)) }) }

    func posterior(_ window: DistanceWindow) -> any Posterior {
        guard let line else { return PointPosterior(metres: 1) }
        return LogNormalPosterior(mean: line.intercept + line.slope * window.medianRSSI, deviation: line.deviation)
    }
}

/// Always the geometric mean distance.
struct ConstantBaseline: DistanceEstimator {
    let name = "const"
    private var answer = LogNormalPosterior(mean: 0, deviation: 1)

    mutating func fit(_ training: [DistanceWindow]) {
        let logs = training.map { log($0.metres) }
        guard let mean = logs.mean else { return }
        let squares = logs.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
        answer = LogNormalPosterior(mean: mean, deviation: max(1e-3, (squares / Double(logs.count)).squareRoot()))
    }

    func posterior(_ window: DistanceWindow) -> any Posterior { answer }
}
