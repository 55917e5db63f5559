import Glibc
import Proximity

/// The parameters of a `DistanceModel` from measurements in groups that differ: ways to carry a phone, beacons,
/// recordings. What few groups can't say comes from a model that is assumed beforehand.
///
/// `RSSI = A_g - k ln d + e` with a level for each group. Groups count alike, however many measurements they have. A
/// group that isn't known has a level that differs from their mean as they do from it, and that mean is uncertain too:
/// its noise is `within + between (1 + 1/G)` (Gelman et al., "Bayesian Data Analysis", 5.4).
struct HierarchicalFit: Equatable, Sendable {
    struct Sample: Sendable {
        var group: String
        /// dBm.
        var rssi: Double
        /// How uncertain `rssi` itself is, in dB²; it isn't counted as shadowing.
        var variance = 0.0
        var metres: Double
    }

    /// `k`, in dB for each factor e of distance.
    private(set) var slope: Double
    /// Mean of the groups' RSSI at 1 m, in dBm.
    private(set) var atOneMetre: Double
    /// Noise inside a group, without the measurements' own, and of the groups' levels, in dB².
    private(set) var within: Double
    private(set) var between: Double
    /// Of a group that isn't known, in dB².
    private(set) var variance: Double
    /// Of the natural logarithm of the distance.
    private(set) var priorMean: Double
    private(set) var priorVariance: Double

    /// Groups that the assumed prior of the distance counts as, and those that the assumed spread of levels does.
    private static let priorGroups = 1.0
    private static let levelGroups = 2.0
    /// Standard deviation of the groups' levels that is assumed, in dB.
    private static let assumedBetween = 4.0
    /// Standard deviation of the slope that is assumed around the model's: 0.46 as an exponent.
    private static let slopeDeviation = 2.0
    /// Measurements that follow each other say the same: so many count as one.
    private static let dependence = 10.0
    private static let smallestSlope = 2.0

    /// `nil` of nothing.
    init?(_ samples: [Sample], assuming model: DistanceModel) {
        let groups = Dictionary(grouping: samples.indices) { samples[$0].group }.sorted { $0.key < $1.key }
            .map(\.value)
        guard !groups.isEmpty else { return nil }
        let logs = samples.map { log(max(0.01, $0.metres)) }
        let count = Double(groups.count)
        let meanLogs = groups.map { group in group.map { logs[$0] }.mean ?? 0 }
        let meanLevels = groups.map { group in group.map { samples[$0].rssi }.mean ?? 0 }

        priorMean = (meanLogs.reduce(0, +) + Self.priorGroups * log(model.priorMedian)) / (count + Self.priorGroups)
        var spread = 0.0
        var squares = 0.0
        var products = 0.0
        for (number, group) in groups.enumerated() {
            var own = 0.0
            for index in group {
                let y = logs[index] - meanLogs[number]
                own += y * y
                products -= y * (samples[index].rssi - meanLevels[number])
            }
            squares += own
            let offset = meanLogs[number] - priorMean
            spread += own / Double(group.count) + offset * offset
        }
        let assumedVariance = Self.priorGroups * model.priorSpread * model.priorSpread
        priorVariance = (spread + assumedVariance) / (count + Self.priorGroups)

        func residuals(_ slope: Double) -> Double {
            var sum = 0.0
            for (number, group) in groups.enumerated() {
                for index in group {
                    let residual =
                        samples[index].rssi - meanLevels[number] + slope * (logs[index] - meanLogs[number])
                    sum += residual * residual
                }
            }
            return sum
        }
        let assumed = 10 * model.exponent / log(10)
        let noise = max(1, residuals(assumed) / Double(samples.count))
        let precision = 1 / (Self.slopeDeviation * Self.slopeDeviation)
        let weight = 1 / (noise * Self.dependence)
        let slope = max(
            Self.smallestSlope, (weight * products + precision * assumed) / (weight * squares + precision))
        self.slope = slope

        let levels = zip(meanLevels, meanLogs).map { $0 + slope * $1 }
        let atOneMetre = levels.mean ?? 0
        self.atOneMetre = atOneMetre
        let inside = residuals(slope) / Double(max(1, samples.count - groups.count))
        within = max(1, inside - (samples.map(\.variance).mean ?? 0))
        let assumedSquares = Self.levelGroups * Self.assumedBetween * Self.assumedBetween
        between =
            (levels.reduce(0) { $0 + ($1 - atOneMetre) * ($1 - atOneMetre) } + assumedSquares)
            / (count - 1 + Self.levelGroups)
        variance = within + between * (1 + 1 / count)
    }

    /// As the gateway uses it.
    var model: DistanceModel {
        DistanceModel(
            exponent: slope * log(10) / 10, shadowing: variance.squareRoot(), priorMedian: exp(priorMean),
            priorSpread: priorVariance.squareRoot(), defaultMeasuredPower: atOneMetre)
    }
}
