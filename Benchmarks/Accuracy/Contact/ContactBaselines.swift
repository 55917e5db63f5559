import Glibc

/// The share of the windows of other scenarios that are contacts.
struct BaseRateBaseline: ContactEstimator {
    let name = "base_rate"
    private var rates: [Double] = []

    mutating func fit(_ training: [ContactWindow]) { rates = Self.rates(training) }

    func probability(_ window: ContactWindow, within metres: Double) -> Double? {
        ContactTruth.radii.firstIndex(of: metres).flatMap { rates.indices.contains($0) ? rates[$0] : nil }
    }

    /// By radius, with one contact and one other more than there are.
    static func rates(_ windows: [ContactWindow]) -> [Double] {
        ContactTruth.radii.indices.map { index in
            let labels = windows.compactMap { $0.labels[index] }
            return Double(labels.count { $0 } + 1) / Double(labels.count + 2)
        }
    }
}

/// The mean RSSI of both directions; the unheard rank last.
struct MeanRSSIBaseline: ContactEstimator {
    let name = "mean_rssi"

    mutating func fit(_ training: [ContactWindow]) {}
    func probability(_ window: ContactWindow, within metres: Double) -> Double? { nil }
    func rank(_ window: ContactWindow, within metres: Double) -> Double { window.meanRSSI ?? -.infinity }
}

/// The same without the offsets of receiver and transmitter that other scenarios showed.
struct CalibratedMeanBaseline: ContactEstimator {
    let name = "calibrated_mean"
    private var offsets: DeviceOffsets?

    mutating func fit(_ training: [ContactWindow]) { offsets = DeviceOffsets(training) }
    func probability(_ window: ContactWindow, within metres: Double) -> Double? { nil }
    func rank(_ window: ContactWindow, within metres: Double) -> Double {
        offsets?.calibratedMean(window) ?? -.infinity
    }
}

/// The closed form of a log-normal prior and normal noise on the calibrated mean.
///
/// As `independent` the noise of n packets shrinks with n. As `shadowed` a part of it doesn't: packets of one window
/// share the shadowing. The unheard get the share of contacts among the unheard of other scenarios.
struct ClosedFormBaseline: ContactEstimator {
    let name: String
    private let isIndependent: Bool
    private var offsets: DeviceOffsets?
    private var prior = (mean: 0.0, variance: 1.0)
    /// Variance of a window's mean that more packets don't take away, in dB².
    private var shadowing = 0.0
    private var unheard: [Double] = []
    /// dB², of one packet around its window's mean.
    private static let fading = 16.0

    static let independent = ClosedFormBaseline(name: "independent", isIndependent: true)
    static let shadowed = ClosedFormBaseline(name: "shadowed", isIndependent: false)

    private init(name: String, isIndependent: Bool) {
        self.name = name
        self.isIndependent = isIndependent
    }

    mutating func fit(_ training: [ContactWindow]) {
        let learnt = DeviceOffsets(training)
        offsets = learnt
        unheard = BaseRateBaseline.rates(training.filter { $0.packets.isEmpty })
        let known = training.compactMap { window -> (log: Double, mean: Double)? in
            let logs = window.packets.compactMap { $0.metres.map { log(max(0.1, $0)) } }
            guard let middle = logs.median, let mean = learnt.calibratedMean(window) else { return nil }
            return (middle, mean)
        }
        guard known.count > 2, let fit = learnt.fit, let mean = known.map(\.log).mean else { return }
        let squares = known.map { ($0.log - mean) * ($0.log - mean) }
        prior = (mean, max(1e-3, squares.mean ?? 1))
        let slope = 10 * fit.exponent / log(10)
        let residuals = known.map { $0.mean - fit.atOneMetre + slope * $0.log }
        shadowing = isIndependent ? 0 : residuals.map { $0 * $0 }.mean ?? 0
    }

    func probability(_ window: ContactWindow, within metres: Double) -> Double? {
        guard let offsets, let fit = offsets.fit, let mean = offsets.calibratedMean(window) else {
            return ContactTruth.radii.firstIndex(of: metres).flatMap {
                unheard.indices.contains($0) ? unheard[$0] : nil
            }
        }
        let packet = isIndependent ? fit.shadowing * fit.shadowing : Self.fading
        let noise = max(1e-6, shadowing + packet / Double(window.packets.count))
        let slope = 10 * fit.exponent / log(10)
        let variance = 1 / (1 / prior.variance + slope * slope / noise)
        let middle = variance * (prior.mean / prior.variance + slope * (fit.atOneMetre - mean) / noise)
        return Normal.cumulative((log(metres) - middle) / variance.squareRoot())
    }
}
