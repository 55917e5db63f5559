import RealModule

/// Where one subject can be, by what was heard of it until now: a Bayes filter over the cells of a building.
///
/// Each step spreads the distribution as people walk, which walls stop, and multiplies it by the likelihood of what was heard.
/// The subject's transmit power is a normal distribution that is learnt on the way.
package struct SubjectFilter: Sendable {
    /// Probability of each cell, by floor; `nil` for floors where the subject is not expected. The sum over all floors is 1.
    package internal(set) var floors: [[Float]?]
    /// What is known of the subject's power.
    package internal(set) var power: TransmitPower
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
        self.power = priorPower
        floors = Array(repeating: nil, count: model.grids.count)
    }

    /// Advances the filter to a time, with what was heard in the window that ends there.
    ///
    /// - Parameters:
    ///   - signals: receptions; empty if nothing was heard. Values that are not finite, and unknown receivers, are ignored.
    ///   - time: end of the window in seconds. A time before the last one counts as equal.
    ///   - window: length of the window in seconds.
    ///   - scratch: memory that steps of different subjects can share.
    package mutating func step(
        _ model: BuildingModel, _ signals: [HeardSignal], time: Double, window: Double = 1,
        scratch: inout FilterScratch
    ) {
        let signals = Self.usable(signals, model)
        if let lastHeard, time - lastHeard > model.settings.memory { lose(after: time - lastHeard, model) }
        guard !signals.isEmpty || lastHeard != nil else { return }
        spread(model, seconds: self.time.map { max(0, time - $0) } ?? 0)
        self.time = max(time, self.time ?? time)
        guard !signals.isEmpty else { return }
        activate(model, signals)
        update(model, signals, window: window, &scratch)
        lastHeard = self.time
    }

    /// Forgets the subject's position and power.
    package mutating func reset() {
        for floor in floors.indices { floors[floor] = nil }
        power = priorPower
        (lastHeard, time) = (nil, nil)
    }

    /// Forgets the position of a subject that was not heard for long. Its power stays much the same.
    private mutating func lose(after seconds: Double, _ model: BuildingModel) {
        let known = power
        reset()
        power = TransmitPower(
            mean: known.mean,
            variance: min(priorPower.variance, known.variance + model.settings.offsetDrift * seconds))
    }

    static func usable(_ signals: [HeardSignal], _ model: BuildingModel) -> [HeardSignal] {
        let known = signals.filter {
            model.receivers.indices.contains($0.receiver) && $0.rssi.isFinite && (-127...20).contains($0.rssi)
                && $0.count > 0
        }
        guard known.count > 1 else { return known }
        // Ties by receiver, so that the order in which messages arrive does not matter.
        return Array(
            known.sorted { ($0.rssi, $1.receiver) > ($1.rssi, $0.receiver) }.prefix(mostSignals))
    }

    /// Share of a window's log-likelihood that counts: readings that follow each other fast share their fading.
    static func share(_ window: Double, _ settings: RadioSettings) -> Float {
        Float(min(1, settings.temper * max(0, window).squareRoot()))
    }

    private mutating func spread(_ model: BuildingModel, seconds: Double) {
        guard seconds > 0 else { return }
        let settings = model.settings
        power.variance = min(priorPower.variance, power.variance + settings.offsetDrift * seconds)
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
        if floors[floor] == nil { floors[floor] = Array(repeating: 0, count: model.grids[floor].count) }
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
                var values = [Float](repeating: 0, count: model.grids[floor].count)
                // In the same measure per area on all floors at first.
                let each = isFirst ? mass : mass / Float(model.grids[floor].inside.count)
                for index in model.grids[floor].inside { values[Int(index)] = each }
                floors[floor] = values
            } else if let values = floors[floor], values.reduce(0, +) < Self.leastFloor {
                floors[floor] = nil
            }
        }
    }

    private mutating func update(
        _ model: BuildingModel, _ signals: [HeardSignal], window: Double, _ scratch: inout FilterScratch
    ) {
        let share = Self.share(window, model.settings)
        let active = floors.indices.filter { floors[$0] != nil }
        guard !active.isEmpty else { return }
        scratch.prepare(floors: floors.count)
        var best = -Float.infinity
        for floor in active {
            scratch.likelihoods[floor].compute(
                signals, model.maps[floor], cells: model.grids[floor].count, share: share, power: power)
            let logarithms = scratch.likelihoods[floor].logarithms
            let values = floors[floor]!
            for index in model.grids[floor].inside where values[Int(index)] > 0 {
                best = max(best, logarithms[Int(index)])
            }
        }
        var total: Float = 0
        var moments = PowerMoments()
        for floor in active {
            total += multiply(
                &floors[floor]!, scratch.likelihoods[floor], best: best, inside: model.grids[floor].inside, &moments)
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
        power = moments.power(after: power)
    }

    /// Multiplies a floor's distribution by the likelihood, and returns its new sum.
    private func multiply(
        _ values: inout [Float], _ likelihood: CellLikelihood, best: Float, inside: [Int32],
        _ moments: inout PowerMoments
    ) -> Float {
        var total: Float = 0
        values.withUnsafeMutableBufferPointer { values in
            likelihood.logarithms.withUnsafeBufferPointer { logarithms in
                likelihood.weights.withUnsafeBufferPointer { weights in
                    likelihood.sums.withUnsafeBufferPointer { sums in
                        for index in inside {
                            let cell = Int(index)
                            let exponent = logarithms[cell] - best
                            // What cannot change the sum is not computed.
                            guard exponent > -40 else {
                                values[cell] = 0
                                continue
                            }
                            let value = values[cell] * .exp(exponent)
                            values[cell] = value
                            total += value
                            moments.add(mass: value, mean: sums[cell] / weights[cell], variance: 1 / weights[cell])
                        }
                    }
                }
            }
        }
        return total
    }
}

/// Moments of a mixture of normal distributions of the power.
private struct PowerMoments {
    private var mass: Double = 0
    private var first: Double = 0
    private var second: Double = 0

    mutating func add(mass: Float, mean: Float, variance: Float) {
        self.mass += Double(mass)
        first += Double(mass * mean)
        second += Double(mass * (variance + mean * mean))
    }

    /// Returns the normal distribution with the mixture's moments.
    func power(after prior: TransmitPower) -> TransmitPower {
        guard mass > 0 else { return prior }
        let mean = first / mass
        return TransmitPower(mean: prior.mean + mean, variance: max(0.01, second / mass - mean * mean))
    }
}
