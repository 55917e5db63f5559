import Glibc
import Proximity

/// The gateway's `DistanceModel` on the RSSI of a window: the mean of each direction without what its receiver and its
/// transmitter are off by, and the mean of both directions.
///
/// Its parameters are fitted on other scenarios (`HierarchicalFit`). What isn't heard says only how often others that
/// weren't heard were in contact.
struct OwnContact: ContactEstimator {
    let name = "ours"
    private var model = DistanceModel.phoneToPhone
    private var offsets = GroupedOffsets()
    /// By radius, as `ContactTruth.radii`.
    private var unheard: [Double]?
    /// Windows that the prior of the distance counts as among the unheard.
    private static let priorWindows = 5.0

    mutating func fit(_ training: [ContactWindow]) {
        let links = training.flatMap { window in
            window.directions.compactMap { direction in window.medianMetres.map { (window, direction, $0) } }
        }
        let raw = HierarchicalFit(
            links.map { .init(group: $0.scenario, rssi: $1.mean, metres: $2) }, assuming: .phoneToPhone)
        guard let raw else { return }
        offsets = GroupedOffsets(
            links.map { window, direction, metres in
                .init(
                    group: window.scenario, receiver: direction.receiver, transmitter: direction.transmitter,
                    level: direction.mean + raw.slope * log(max(0.01, metres)))
            })
        let samples = training.compactMap { window -> HierarchicalFit.Sample? in
            guard let metres = window.medianMetres, let rssi = fused(window) else { return nil }
            return .init(group: window.scenario, rssi: rssi, metres: metres)
        }
        guard let fit = HierarchicalFit(samples, assuming: .phoneToPhone) else { return }
        model = fit.model
        let prior = LogNormal(mean: fit.priorMean, deviation: fit.priorVariance.squareRoot())
        unheard = ContactTruth.radii.indices.map { index in
            let labels = training.filter { $0.packets.isEmpty }.compactMap { $0.labels[index] }
            let expected = Self.priorWindows * prior.probability(within: ContactTruth.radii[index])
            return (Double(labels.count { $0 }) + expected) / (Double(labels.count) + Self.priorWindows)
        }
    }

    func probability(_ window: ContactWindow, within metres: Double) -> Double? {
        if let distance = distance(window) { return distance.probability(within: metres) }
        guard let unheard, let index = ContactTruth.radii.firstIndex(of: metres) else {
            return LogNormal(mean: log(model.priorMedian), deviation: model.priorSpread).probability(within: metres)
        }
        return unheard[index]
    }

    /// By the calibrated RSSI, for the reason that `OwnDistance.rank` gives; the unheard rank as the RSSI does at which
    /// contact is as probable.
    func rank(_ window: ContactWindow, within metres: Double) -> Double {
        if let rssi = fused(window) { return rssi }
        guard let probability = probability(window, within: metres) else { return -.infinity }
        var range = -200.0...50.0
        for _ in 0..<40 {
            let middle = (range.lowerBound + range.upperBound) / 2
            let distance = model.posterior(rssi: middle, variance: 0, measuredPower: nil)
            let isTooFar = distance.probability(within: metres) < probability
            range = isTooFar ? middle...range.upperBound : range.lowerBound...middle
        }
        return range.lowerBound
    }

    func distance(_ window: ContactWindow) -> (any Posterior)? {
        fused(window).map {
            LogNormalPosterior(model.posterior(rssi: $0, variance: 0, measuredPower: nil))
        }
    }

    /// dBm; `nil` of the unheard.
    private func fused(_ window: ContactWindow) -> Double? {
        window.directions.map {
            $0.mean - offsets.offset(receiver: $0.receiver, transmitter: $0.transmitter)
        }.mean
    }
}

extension ContactWindow {
    /// Who heard whom, with the mean RSSI in dBm.
    fileprivate var directions: [(receiver: String, transmitter: String, mean: Double)] {
        [(first, second), (second, first)].compactMap { receiver, transmitter in
            packets.filter { $0.receiver == receiver }.map(\.rssi).mean.map {
                (people[receiver], people[transmitter], $0)
            }
        }
    }
}
