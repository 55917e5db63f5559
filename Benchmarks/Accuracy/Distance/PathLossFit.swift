import Glibc

/// A straight line by least squares.
struct Line: Equatable, Sendable {
    var intercept: Double
    var slope: Double
    /// Standard deviation of the residuals.
    var deviation: Double

    /// `nil` for fewer than three points, or when all have one x.
    init?(_ points: [(x: Double, y: Double)]) {
        guard points.count > 2, let meanX = points.map(\.x).mean, let meanY = points.map(\.y).mean else { return nil }
        let squares = points.reduce(0) { $0 + ($1.x - meanX) * ($1.x - meanX) }
        let products = points.reduce(0) { $0 + ($1.x - meanX) * ($1.y - meanY) }
        guard squares > 1e-9 else { return nil }
        let slope = products / squares
        let intercept = meanY - slope * meanX
        let residuals = points.reduce(0) { sum, point in
            let residual = point.y - intercept - slope * point.x
            return sum + residual * residual
        }
        self.slope = slope
        self.intercept = intercept
        deviation = (residuals / Double(points.count - 2)).squareRoot()
    }
}

/// `RSSI = A - 10 n log10(d) + e`, by least squares (T. S. Rappaport, "Wireless Communications", 4.9).
struct PathLossFit: Equatable, Sendable {
    /// `A`, in dBm.
    var atOneMetre: Double
    /// `n`, which inverts a distance only when it is larger than 0.
    var exponent: Double
    /// Standard deviation of `e`, in dB.
    var shadowing: Double

    init?(_ windows: [DistanceWindow]) { self.init(windows.map { ($0.metres, $0.medianRSSI) }) }

    init?(_ points: [(metres: Double, rssi: Double)]) {
        guard let line = Line(points.map { (log10($0.metres), $0.rssi) }) else { return nil }
        atOneMetre = line.intercept
        exponent = -line.slope / 10
        shadowing = line.deviation
    }
}
