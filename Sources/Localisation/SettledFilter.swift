import RealModule

/// Where one subject was, some seconds late: the filter run forwards, and backwards over what was heard afterwards.
///
/// Windows are collected until those of a block have `future` seconds after them. Source of the algorithm: L. R.
/// Rabiner, "A tutorial on hidden Markov models", 1989, forward-backward procedure, with a fixed lag.
package struct SettledFilter: Sendable {
    /// The filter at the end of the last block.
    private var filter: SubjectFilter
    private var inside = InsideJudge()
    private var windows: [HeardWindow] = []

    /// Length of a block in seconds.
    package static let block = 10.0
    /// Time after a block that is waited for, in seconds.
    package static let future = 10.0
    /// Time between a window and those that tell the side of a wall with it, in seconds.
    private static let neighbourhood = 1.5
    /// Number of windows of a subject that are kept at most.
    private static let mostWindows = 256
    /// Share of the greatest likelihood that each cell has at least, against errors of the plan.
    private static let leastShare: Float = 1e-4

    package init(_ model: BuildingModel, power: TransmitPower? = nil) {
        filter = SubjectFilter(model, power: power)
    }

    /// Adds what was heard in a window, and returns what is settled by it.
    ///
    /// - Parameter window: what was heard. Windows that do not end after the one before are ignored.
    package mutating func add(
        _ model: BuildingModel, _ window: HeardWindow, scratch: inout FilterScratch
    ) -> [SettledEstimate] {
        var settled: [SettledEstimate] = []
        if let last = windows.last?.end {
            guard window.end > last else { return [] }
            if window.end - last > model.settings.memory { settled = finish(model, scratch: &scratch) }
        }
        guard !window.signals.isEmpty || !windows.isEmpty else { return settled }
        windows.append(window)
        guard let first = windows.first?.end else { return settled }
        if window.end - first >= Self.block + Self.future || windows.count >= Self.mostWindows {
            let count = windows.prefix { $0.end - first < Self.block }.count
            settled += settle(model, count: max(1, count), &scratch)
        }
        return settled
    }

    /// Settles what is left, without a future, and forgets the subject.
    package mutating func finish(_ model: BuildingModel, scratch: inout FilterScratch) -> [SettledEstimate] {
        defer {
            filter.reset()
            inside = InsideJudge()
        }
        return settle(model, count: windows.count, &scratch)
    }

    /// Settles the first windows, by all windows that there are.
    private mutating func settle(
        _ model: BuildingModel, count: Int, _ scratch: inout FilterScratch
    ) -> [SettledEstimate] {
        guard count > 0 else { return [] }
        var forward: [SubjectFilter] = []
        var likelihoods: [[[Cells]?]] = []
        var filter = self.filter
        for window in windows {
            filter.step(model, window, scratch: &scratch)
            forward.append(filter)
            let isHeard = filter.lastHeard == window.end
            likelihoods.append(
                filter.floors.enumerated().map { floor, values in
                    values == nil || !isHeard ? nil : scratch.likelihoods[floor].logarithms
                })
        }
        var smoothed: [(index: Int, floors: [[Float]?])] = []
        // Nothing is known of what comes after the last window.
        var after: [[Float]?] = Array(repeating: nil, count: model.grids.count)
        for index in windows.indices.reversed() {
            if index + 1 < windows.count {
                after = Self.back(
                    model, after, likelihoods[index + 1], seconds: windows[index + 1].end - windows[index].end)
            }
            guard index < count, forward[index].lastHeard != nil else { continue }
            let floors = zip(forward[index].floors, after).map { values, after in
                values.map { Self.product($0, after) }
            }
            smoothed.append((index, floors))
        }
        let results = smoothed.reversed().compactMap { index, floors in
            let judged = inside.weigh(model, floors, around(index, model))
            return Estimate(
                model, judged, flattening: model.settings.settledFlattening,
                region: model.settings.settledRegionFlattening
            ).map {
                SettledEstimate(time: windows[index].end, estimate: $0)
            }
        }
        self.filter = forward[count - 1]
        windows.removeFirst(count)
        return results
    }

    /// Returns what was heard in a window, and in those just before and after it.
    private func around(_ index: Int, _ model: BuildingModel) -> HeardWindow {
        var result = windows[index]
        guard !model.sides.isEmpty else { return result }
        for other in [index - 1, index + 1] where windows.indices.contains(other) {
            guard abs(windows[other].end - result.end) <= Self.neighbourhood else { continue }
            for signal in windows[other].signals where SubjectFilter.isUsable(signal, model) {
                guard let same = result.signals.firstIndex(where: { $0.receiver == signal.receiver }) else {
                    result.signals.append(signal)
                    continue
                }
                let (one, count) = (result.signals[same], result.signals[same].count + signal.count)
                result.signals[same].rssi =
                    (one.rssi * Double(one.count) + signal.rssi * Double(signal.count)) / Double(count)
                result.signals[same].count = count
            }
        }
        result.silent.removeAll { receiver in result.signals.contains { $0.receiver == receiver } }
        return result
    }

    private static func product(_ values: [Float], _ other: [Float]?) -> [Float] {
        guard let other else { return values }
        var result = values
        for index in result.indices { result[index] *= other[index] }
        return result
    }

    /// Returns the likelihood of what comes after a time, by the likelihood of what comes after a later one.
    ///
    /// - Parameters:
    ///   - after: likelihood after the later time; floors that are `nil` are alike everywhere.
    ///   - logarithms: logarithms of the likelihood of the later window.
    private static func back(
        _ model: BuildingModel, _ after: [[Float]?], _ logarithms: [[Cells]?], seconds: Double
    ) -> [[Float]?] {
        var best = -Float.infinity
        for values in logarithms {
            guard let values else { continue }
            best = max(best, values.reduce(Cells(repeating: -.infinity)) { $0.orGreater($1) }.max())
        }
        var result: [[Float]?] = Array(repeating: nil, count: after.count)
        var greatest: Float = 0
        for floor in after.indices {
            let inside = model.grids[floor].inside
            guard after[floor] != nil || logarithms[floor] != nil else { continue }
            var values = after[floor] ?? Array(repeating: 1, count: model.grids[floor].padded)
            if let logarithms = logarithms[floor] {
                for group in logarithms.indices {
                    let likelihood = (logarithms[group] - best).approximateExponential()
                    for place in 0..<8 { values[8 * group + place] *= likelihood[place] }
                }
            } else if best > -.infinity {
                // The floor was given up before the later window.
                for index in inside { values[Int(index)] *= leastShare }
            }
            SubjectFilter.spread(&values, model.spreads[floor], seconds: seconds, back: true)
            for index in inside { greatest = max(greatest, values[Int(index)]) }
            result[floor] = values
        }
        guard greatest > 0 else { return Array(repeating: nil, count: after.count) }
        for floor in result.indices {
            guard result[floor] != nil else { continue }
            let scale = 1 / greatest
            result[floor]!.withUnsafeMutableBufferPointer { values in
                for index in values.indices { values[index] = values[index] * scale + leastShare }
            }
        }
        return result
    }
}
