import Glibc
import Proximity

/// The gateway's filter and a `DistanceModel` as it is shipped, chosen by the kind of the building. Nothing is fitted but
/// the RSSI at 1 m, as `beacon-gateway calibrate` would measure it.
struct PresetDistance: DistanceEstimator {
    let name = "ours_preset"
    private var atOneMetre: Double?

    mutating func fit(_ training: [DistanceWindow]) {
        guard let first = training.first else { return }
        let slope = 10 * Self.preset(of: first.dataSet, first.link).model.exponent / log(10)
        // Groups count alike.
        atOneMetre =
            Dictionary(grouping: training, by: \.group).values.compactMap { group in
                group.map { OwnDistance.smoothed($0).value + slope * log(max(0.01, $0.metres)) }.mean
            }.sorted().mean
    }

    func posterior(_ window: DistanceWindow) -> any Posterior {
        let smoothed = OwnDistance.smoothed(window)
        return LogNormalPosterior(
            Self.preset(of: window.dataSet, window.link).model.posterior(
                rssi: smoothed.value, variance: smoothed.variance, measuredPower: atOneMetre))
    }

    func rank(_ window: DistanceWindow) -> Double? { OwnDistance.smoothed(window).value }

    /// Which preset fits a data set, and whether it was derived from these very recordings: then it isn't put to the
    /// test by them.
    static func preset(
        of dataSet: String, _ link: DistanceWindow.Link
    ) -> (name: String, model: DistanceModel, isFromHere: Bool) {
        if link == .phone { return ("phone-to-phone", .phoneToPhone, dataSet == "mit_matrix") }
        if dataSet.hasPrefix("uji_lib") { return ("shelves", .shelves, true) }
        if dataSet.hasPrefix("uji_geo") { return ("open-office", .openOffice, true) }
        if dataSet.hasPrefix("kolakowski") { return ("rooms", .rooms, true) }
        return ("general", .general, false)
    }
}
