import RealModule

/// Where a subject was in one stay, by that stay alone.
struct StayPosterior {
    /// Probability of each cell by floor, and zeros up to a multiple of eight cells; `nil` where the subject is not
    /// expected. The sum over all floors is 1.
    private(set) var floors: [[Float]?]
    /// Distribution of the subject's power on the floor where it most probably was.
    private(set) var power: TransmitPower

    /// Number of the strongest receivers whose floors are considered.
    private static let leadingReceivers = 3
    /// Share of stays in which a receiver misses a subject that another one hears.
    ///
    /// A stay is long, so that chance hides less than in a single window.
    private static let missed: Double = 0.1
    /// Length of a stay in seconds up to which it is as probable between rooms as in a room of the same area.
    ///
    /// People stop in corridors for a talk; who stays for longer is in a room.
    private static let shortStay = 900.0
    /// Share of a stay that counts where a survey was made.
    ///
    /// Where a survey has found what is the same at all times, deviations of 4 dB remain instead of 5: 25 / 16. From 1
    /// to 2 the rooms and contacts of three simulated buildings are found equally well; at 1.5 the probabilities of
    /// rooms are nearest to the shares of right ones.
    private static let surveyedShare: Float = 1.5

    /// Creates the distribution of a stay; `nil` if it can be nowhere.
    ///
    /// - Parameter known: what is known of the subject's power.
    init?(_ stay: HeardStay, _ model: BuildingModel, power known: TransmitPower, scratch: inout FilterScratch) {
        let signals = Self.corrected(SubjectFilter.usable(stay.signals, model))
        let leading = Set(signals.prefix(Self.leadingReceivers).map { model.receivers[$0.receiver].floor })
        let active = leading.sorted().filter { !model.grids[$0].inside.isEmpty }
        guard !active.isEmpty else { return nil }
        var settings = model.settings
        settings.missed = Self.missed
        let share = active.allSatisfy(model.isSurveyed) ? Self.surveyedShare : 1
        let isShort = stay.end - stay.start < Self.shortStay
        scratch.prepare(floors: model.grids.count)
        var best = -Float.infinity
        for floor in active {
            scratch.likelihoods[floor].compute(
                signals, silent: stay.silent, model.maps[floor], cells: model.grids[floor].count, share: share,
                power: known, settings: settings)
            let logarithms = scratch.likelihoods[floor].logarithms
            for index in model.grids[floor].inside { best = max(best, logarithms[Int(index) / 8][Int(index) % 8]) }
        }
        floors = Array(repeating: nil, count: model.grids.count)
        power = known
        var (total, greatest) = (0.0, 0.0)
        for floor in active {
            let grid = model.grids[floor]
            let likelihood = scratch.likelihoods[floor]
            var values = [Float](repeating: 0, count: grid.padded)
            var (mass, first, second) = (0.0, 0.0, 0.0)
            for index in grid.inside.map(Int.init) {
                let (group, place) = (index / 8, index % 8)
                let prior = isShort ? 1 : grid.rest[index]
                values[index] = prior * .exp(likelihood.logarithms[group][place] - best)
                let (value, mean) = (Double(values[index]), Double(likelihood.powers[group][place]))
                mass += value
                first += value * mean
                second += value * (mean * mean + Double(likelihood.variances[group][place]))
            }
            floors[floor] = values
            total += mass
            guard mass > greatest else { continue }
            greatest = mass
            let mean = first / mass
            power = TransmitPower(mean: known.mean + mean, variance: max(0.01, second / mass - mean * mean))
        }
        guard total > 0, total.isFinite else { return nil }
        for floor in active {
            for index in model.grids[floor].inside.map(Int.init) { floors[floor]![index] /= Float(total) }
        }
    }

    /// Returns signals with the means that they would have if weak packets were heard too.
    private static func corrected(_ signals: [HeardSignal]) -> [HeardSignal] {
        let most = Double(signals.map(\.count).max() ?? 1)
        return signals.map { signal in
            var signal = signal
            signal.rssi -= Censoring.excess(Double(signal.count) / most)
            return signal
        }
    }
}
