import Glibc
import Proximity

/// The gateway's filter and its `DistanceModel`, whose parameters are fitted on the other groups and shrunk towards
/// the model that is shipped. Without other groups it is that model.
struct OwnDistance: DistanceEstimator {
    let name = "ours"
    private var model: DistanceModel?
    /// Of phones among beacons. How somebody carries a phone shifts its level as much as its model does, and these
    /// can't be told apart in recordings of phones on bodies.
    private var offsets = GroupedOffsets()

    mutating func fit(_ training: [DistanceWindow]) {
        guard let first = training.first else { return }
        let preset = Self.preset(first.link)
        guard let raw = HierarchicalFit(training.map { Self.sample($0, offset: 0) }, assuming: preset) else { return }
        if first.link == .beacon {
            offsets = GroupedOffsets(
                training.map { window in
                    GroupedOffsets.Sample(
                        group: window.group, receiver: window.receiver, transmitter: window.transmitter,
                        level: Self.smoothed(window).value + raw.slope * log(max(0.01, window.metres)))
                })
        }
        let samples = training.map { window in
            Self.sample(window, offset: offsets.offset(receiver: window.receiver, transmitter: window.transmitter))
        }
        model = HierarchicalFit(samples, assuming: preset)?.model
    }

    func posterior(_ window: DistanceWindow) -> any Posterior {
        let smoothed = Self.smoothed(window)
        let offset = offsets.offset(receiver: window.receiver, transmitter: window.transmitter)
        return LogNormalPosterior(
            (model ?? Self.preset(window.link)).posterior(
                rssi: smoothed.value - offset, variance: smoothed.variance, measuredPower: nil))
    }

    /// The calibrated RSSI: the nearer the stronger. Parameters that were fitted without a group lean away from it, so
    /// that probabilities of different groups are worse comparable than those of one gateway, which has one model.
    func rank(_ window: DistanceWindow) -> Double? {
        Self.smoothed(window).value - offsets.offset(receiver: window.receiver, transmitter: window.transmitter)
    }

    /// What is assumed of such a link.
    static func preset(_ link: DistanceWindow.Link) -> DistanceModel {
        switch link {
        case .phone: .phoneToPhone
        case .beacon: .openOffice
        }
    }

    static func smoothed(_ window: DistanceWindow) -> SmoothedRSSI {
        window.smoothed ?? SmoothedRSSI(value: window.medianRSSI, variance: 0)
    }

    private static func sample(_ window: DistanceWindow, offset: Double) -> HierarchicalFit.Sample {
        let smoothed = smoothed(window)
        return HierarchicalFit.Sample(
            group: window.group, rssi: smoothed.value - offset, variance: smoothed.variance, metres: window.metres)
    }
}

extension LogNormalPosterior {
    init(_ distribution: LogNormal) { self.init(mean: distribution.mean, deviation: distribution.deviation) }
}
