import RealModule

/// Where one subject can be, by what was heard of it until now: a Bayes filter over the cells of a building.
///
/// Each step spreads the distribution as people walk, which walls stop, and multiplies it by the likelihood of what was
/// heard. The subject's transmit power is a normal distribution that is learnt on the way.
package struct SubjectFilter: Sendable {
    /// Probability of each cell by floor, and zeros up to a multiple of eight cells; `nil` where the subject is not
    /// expected. The sum over all floors is 1.
    package internal(set) var floors: [[Float]?]
    /// The subject's power by the floor on which it would be.
    ///
    /// A weak subject here and a strong one on the floor above are heard much alike, so that each floor learns its own
    /// power.
    private var powers: [TransmitPower]
    /// Time of the last step that heard the subject, in seconds; `nil` before the first.
    package internal(set) var lastHeard: Double?
    /// Time of the last step in seconds.
    private var time: Double?
    private let priorPower: TransmitPower

    /// Number of the strongest signals of a window that count.
    static let mostSignals = 12
    /// Number of the strongest receivers whose floors are considered.
    private static let leadingReceivers = 3
    /// Probability below which a floor that no leading receiver is on is given up.
    private static let leastFloor: Float = 0.01

    /// Creates a filter for a subject of which nothing was heard.
    ///
    /// - Parameter power: what is known of its transmit power; `nil` for the preset of the model.
    package init(_ model: BuildingModel, power: TransmitPower? = nil) {
        let deviation = model.settings.offsetDeviation
        priorPower = power ?? TransmitPower(variance: deviation * deviation)
        powers = Array(repeating: priorPower, count: model.grids.count)
        floors = Array(repeating: nil, count: model.grids.count)
    }

    /// The subject's power on the floor where it most probably is.
    package var power: TransmitPower {
        let masses = floors.map { $0?.reduce(0, +) ?? 0 }
        guard let floor = masses.indices.max(by: { masses[$0] < masses[$1] }) else { return priorPower }
        return powers[floor]
    }

    /// Advances the filter to the end of a window, with what was heard in it.
    ///
    /// - Parameters:
    ///   - window: what was heard. An end before the last one counts as equal.
    ///   - scratch: memory that steps of different subjects can share.
    package mutating func step(_ model: BuildingModel, _ window: HeardWindow, scratch: inout FilterScratch) {
        let signals = Self.usable(window.signals, model)
        if let lastHeard, window.end - lastHeard > model.settings.memory { lose(after: window.end - lastHeard, model) }
        guard !signals.isEmpty || lastHeard != nil else { return }
        spread(model, seconds: time.map { max(0, window.end - $0) } ?? 0)
        time = max(window.end, time ?? window.end)
        guard !signals.isEmpty else { return }
        activate(model, signals)
        update(model, signals, silent: window.silent, length: window.length, &scratch)
        lastHeard = time
    }

    /// Forgets the subject's position and power.
    package mutating func reset() {
        for floor in floors.indices {
            floors[floor] = nil
            powers[floor] = priorPower
        }
        (lastHeard, time) = (nil, nil)
    }

    /// Forgets the position of a subject that was not heard for long. Its power stays much the same.
    private mutating func lose(after seconds: Double, _ model: BuildingModel) {
        let known = power
        reset()
        let kept = TransmitPower(
            mean: known.mean,
            variance: min(priorPower.variance, known.variance + model.settings.offsetDrift * seconds))
        for floor in powers.indices { powers[floor] = kept }
    }

    static func usable(_ signals: [HeardSignal], _ model: BuildingModel) -> [HeardSignal] {
        let known = signals.filter { isUsable($0, model) }
        guard known.count > 1 else { return known }
        // Ties by receiver, so that the order in which messages arrive does not matter.
        return Array(
            known.sorted { ($0.rssi, $1.receiver) > ($1.rssi, $0.receiver) }.prefix(mostSignals))
    }

    /// Returns whether a signal is a level of a known receiver.
    static func isUsable(_ signal: HeardSignal, _ model: BuildingModel) -> Bool {
        model.receivers.indices.contains(signal.receiver) && signal.rssi.isFinite && (-127...20).contains(signal.rssi)
            && signal.count > 0
    }

    /// Share of a window's log-likelihood that counts: readings that follow each other fast share their fading.
    static func share(_ window: Double, _ settings: RadioSettings) -> Float {
        Float(min(1, settings.temper * max(0, window).squareRoot()))
    }

    private mutating func spread(_ model: BuildingModel, seconds: Double) {
        guard seconds > 0 else { return }
        let settings = model.settings
        for floor in powers.indices {
            powers[floor].variance = min(priorPower.variance, powers[floor].variance + settings.offsetDrift * seconds)
        }
        for floor in floors.indices where floors[floor] != nil {
            Self.spread(&floors[floor]!, model.spreads[floor], seconds: seconds)
        }
        takePassages(model, share: Float(1 - .exp(-settings.passageRate * seconds)))
        leak(model, share: Float(1 - .exp(-settings.leak * seconds)))
    }

    /// Spreads a distribution by a time, in steps that are powers of two.
    static func spread(_ values: inout [Float], _ spreads: [Diffusion], seconds: Double, back: Bool = false) {
        var left = (min(seconds, 60) / BuildingModel.steps[0]).rounded()
        for (index, _) in BuildingModel.steps.enumerated().reversed() {
            let quarters = Double(1 << index)
            while left >= quarters {
                left -= quarters
                if back { spreads[index].spreadBack(&values) } else { spreads[index].spread(&values) }
            }
        }
    }

    private mutating func takePassages(_ model: BuildingModel, share: Float) {
        for passage in model.passages {
            let (first, second) = passage.floors
            let up = leave(first, passage.cells.0, share)
            let down = leave(second, passage.cells.1, share)
            arrive(up, on: second, passage.cells.1, model)
            arrive(down, on: first, passage.cells.0, model)
        }
    }

    /// Takes a share of the probability of cells, and returns it.
    private mutating func leave(_ floor: Int, _ cells: [Int32], _ share: Float) -> Float {
        guard floors[floor] != nil else { return 0 }
        var moved: Float = 0
        for cell in cells {
            let value = floors[floor]![Int(cell)] * share
            floors[floor]![Int(cell)] -= value
            moved += value
        }
        return moved
    }

    private mutating func arrive(_ mass: Float, on floor: Int, _ cells: [Int32], _ model: BuildingModel) {
        guard mass > 0 else { return }
        if floors[floor] == nil { floors[floor] = Array(repeating: 0, count: model.grids[floor].padded) }
        for cell in cells { floors[floor]![Int(cell)] += mass / Float(cells.count) }
    }

    private mutating func leak(_ model: BuildingModel, share: Float) {
        let active = floors.indices.filter { floors[$0] != nil }
        let cells = active.reduce(0) { $0 + model.grids[$1].inside.count }
        guard cells > 0 else { return }
        let each = share / Float(cells)
        for floor in active {
            floors[floor]!.withUnsafeMutableBufferPointer { values in
                for index in values.indices { values[index] *= 1 - share }
                for index in model.grids[floor].inside { values[Int(index)] += each }
            }
        }
    }

    /// Opens the floors of the strongest receivers, and closes those on which the subject is not.
    private mutating func activate(_ model: BuildingModel, _ signals: [HeardSignal]) {
        let leading = Set(signals.prefix(Self.leadingReceivers).map { model.receivers[$0.receiver].floor })
        let isFirst = lastHeard == nil
        for floor in floors.indices {
            if leading.contains(floor) {
                guard floors[floor] == nil, !model.grids[floor].inside.isEmpty else { continue }
                // By the leak alone, somebody who took unknown stairs would arrive only after minutes.
                let mass: Float = isFirst ? 1 : Self.leastFloor
                var values = [Float](repeating: 0, count: model.grids[floor].padded)
                // In the same measure per area on all floors at first.
                let each = isFirst ? mass : mass / Float(model.grids[floor].inside.count)
                for index in model.grids[floor].inside {
                    values[Int(index)] = each * model.grids[floor].rest[Int(index)]
                }
                floors[floor] = values
                if !isFirst { powers[floor] = priorPower }
            } else if let values = floors[floor], values.reduce(0, +) < Self.leastFloor {
                floors[floor] = nil
            }
        }
    }

    private mutating func update(
        _ model: BuildingModel, _ signals: [HeardSignal], silent: [Int], length: Double,
        _ scratch: inout FilterScratch
    ) {
        let share = Self.share(length, model.settings)
        let active = floors.indices.filter { floors[$0] != nil }
        guard !active.isEmpty else { return }
        scratch.prepare(floors: floors.count)
        var best = -Float.infinity
        for floor in active {
            scratch.likelihoods[floor].compute(
                signals, silent: telling(silent, on: floor, model), model.maps[floor], cells: model.grids[floor].count,
                share: share,
                power: powers[floor], settings: model.settings)
            best = max(best, Self.best(floors[floor]!, scratch.likelihoods[floor]))
        }
        var total: Float = 0
        for floor in active {
            var moments = PowerMoments()
            Self.multiply(&floors[floor]!, scratch.likelihoods[floor], best: best, &moments)
            powers[floor] = moments.power(after: powers[floor])
            total += moments.mass
        }
        guard total > 0, total.isFinite else {
            reset()
            return
        }
        for floor in active {
            floors[floor]!.withUnsafeMutableBufferPointer { values in
                let scale = 1 / total
                for index in values.indices { values[index] *= scale }
            }
        }
    }

    /// Returns the silent receivers that would hear the subject where it most probably is on a floor: only those tell
    /// something.
    private func telling(_ silent: [Int], on floor: Int, _ model: BuildingModel) -> [Int] {
        guard !silent.isEmpty, let values = floors[floor] else { return [] }
        var cell = 0
        values.withUnsafeBufferPointer { values in
            for index in values.indices where values[index] > values[cell] { cell = index }
        }
        let least = model.settings.surelyUnheard - powers[floor].mean
        return silent.filter {
            model.receivers.indices.contains($0) && model.expected(floor: floor, receiver: $0, cell: cell) > least
        }
    }

    /// Returns the greatest logarithm of the likelihood where the subject can be.
    private static func best(_ values: [Float], _ likelihood: CellLikelihood) -> Float {
        values.withUnsafeBytes { bytes in
            let values = bytes.bindMemory(to: UnalignedCells.self)
            var best = Cells(repeating: -.infinity)
            for group in likelihood.logarithms.indices {
                let isPossible = values[group].cells .> 0
                best = best.orGreater(
                    Cells(repeating: -.infinity).replacing(with: likelihood.logarithms[group], where: isPossible))
            }
            return best.max()
        }
    }

    /// Multiplies a floor's distribution by the likelihood.
    private static func multiply(
        _ values: inout [Float], _ likelihood: CellLikelihood, best: Float, _ moments: inout PowerMoments
    ) {
        values.withUnsafeMutableBytes { bytes in
            let values = bytes.bindMemory(to: UnalignedCells.self)
            for group in likelihood.logarithms.indices {
                let value = values[group].cells * (likelihood.logarithms[group] - best).approximateExponential()
                values[group].cells = value
                moments.add(mass: value, mean: likelihood.powers[group], variance: likelihood.variances[group])
            }
        }
    }
}

/// Eight numbers of an array of numbers, which need not be aligned as vectors are.
struct UnalignedCells {
    private var low: (Float, Float, Float, Float)
    private var high: (Float, Float, Float, Float)

    var cells: Cells {
        get { Cells(low.0, low.1, low.2, low.3, high.0, high.1, high.2, high.3) }
        set {
            low = (newValue[0], newValue[1], newValue[2], newValue[3])
            high = (newValue[4], newValue[5], newValue[6], newValue[7])
        }
    }
}

/// Moments of a mixture of normal distributions of the power.
private struct PowerMoments {
    private var masses = Cells.zero
    private var firsts = Cells.zero
    private var seconds = Cells.zero

    /// Sum of the masses.
    var mass: Float { masses.sum() }

    mutating func add(mass: Cells, mean: Cells, variance: Cells) {
        masses += mass
        firsts += mass * mean
        seconds += mass * (variance + mean * mean)
    }

    /// Returns the normal distribution with the mixture's moments.
    func power(after prior: TransmitPower) -> TransmitPower {
        guard mass > 0 else { return prior }
        let mean = Double(firsts.sum() / mass)
        let variance = Double(seconds.sum() / mass) - mean * mean
        return TransmitPower(mean: prior.mean + mean, variance: max(0.01, variance))
    }
}
