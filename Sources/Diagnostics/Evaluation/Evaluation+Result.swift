import BeaconModel

extension Evaluation {
    /// Judges the data received so far.
    package func result() -> EvaluationResult {
        let results = zip(schedule.devices, devices).map { result(of: $0, $1) }
        let phases = results.flatMap(\.phases)
        let extent = phases.map(\.inRange).min().flatMap { from in
            phases.map(\.outOfRange).max().map { Coverage.Interval(from: from, to: $0) }
        }
        return EvaluationResult(
            receiver: schedule.receiver, receiverState: schedule.receiverState,
            requiredWindow: schedule.requiredWindow, discoveryLimit: schedule.discoveryLimit, start: start,
            extent: extent, coverage: coverage, reports: reports, devices: results)
    }

    private func result(of device: EvaluationSchedule.Device, _ tally: DeviceTally) -> EvaluationResult.Device {
        var heardStates: Set<String> = []
        var phases: [EvaluationResult.Phase] = []
        for (index, (phase, heard)) in zip(device.phases, tally.phases).enumerated() {
            let comesIntoRange = index == 0 || device.phases[index - 1].outOfRange != phase.inRange
            let question: EvaluationResult.Question? =
                comesIntoRange ? (heardStates.contains(phase.state) ? .resume : .discovery) : nil
            phases.append(result(of: phase, heard, question))
            if heard.readings > 0 { heardStates.insert(phase.state) }
        }
        let leaks = tally.leaks.compactMap { leak -> EvaluationResult.Leak? in
            guard let first = leak.first, let last = leak.last else { return nil }
            return .init(readings: leak.readings, strongest: leak.strongest, first: first, last: last)
        }
        return .init(
            name: device.name, phases: phases, leaks: leaks,
            unheard: zip(device.identities, tally.isHeard).filter { !$1 }.map(\.0), bins: tally.bins)
    }

    private func result(
        of phase: EvaluationSchedule.Phase, _ tally: PhaseTally, _ question: EvaluationResult.Question?
    ) -> EvaluationResult.Phase {
        let start = start ?? .epoch
        let inRange = start + phase.inRange
        let outOfRange = phase.outOfRange.map { start + $0 } ?? end(ofOpenPhaseFrom: inRange)
        var result = EvaluationResult.Phase(
            state: phase.state, inRange: inRange, outOfRange: outOfRange, hasEnd: phase.outOfRange != nil,
            question: question, arrival: .notTested, timeToFirst: tally.first.map { $0 - inRange },
            tracking: .notTested, windows: windows(in: outOfRange - inRange), windowsHeard: 0, windowsCovered: 0,
            longestGap: longestGap(tally, inRange, outOfRange), readings: tally.readings, rssi: tally.rssi)
        if question != nil { result.arrival = arrival(tally, inRange, outOfRange, hasEnd: result.hasEnd) }
        judgeTracking(&result, tally)
        return result
    }

    /// Returns the end of the received data, but no later than the last counted window.
    private func end(ofOpenPhaseFrom inRange: Timestamp) -> Timestamp {
        let longest = inRange + schedule.requiredWindow * EvaluationSchedule.mostWindows
        return min(longest, max(inRange, coverage.last ?? inRange))
    }

    private func windows(in duration: Duration) -> Int {
        guard duration >= schedule.requiredWindow else { return 0 }
        let whole = min(EvaluationSchedule.mostWindows, Int(duration / schedule.requiredWindow))
        let rest = duration - schedule.requiredWindow * whole
        return min(EvaluationSchedule.mostWindows, whole + (rest * 2 >= schedule.requiredWindow ? 1 : 0))
    }

    private func arrival(
        _ tally: PhaseTally, _ inRange: Timestamp, _ outOfRange: Timestamp, hasEnd: Bool
    ) -> EvaluationResult.Mark {
        if let first = tally.first, first - inRange <= schedule.discoveryLimit { return .holds }
        let limit = inRange + schedule.discoveryLimit
        return coverage.covers(inRange, hasEnd ? min(limit, outOfRange) : limit) ? .fails : .notCovered
    }

    private func judgeTracking(_ result: inout EvaluationResult.Phase, _ tally: PhaseTally) {
        for index in 0..<result.windows {
            let from = result.inRange + schedule.requiredWindow * index
            if tally.isHeard(window: index) {
                result.windowsHeard += 1
                result.windowsCovered += 1
            } else if coverage.covers(from, min(result.outOfRange, from + schedule.requiredWindow)) {
                result.windowsCovered += 1
            }
        }
        if result.windowsHeard < result.windowsCovered {
            result.tracking = .fails
        } else if result.windowsCovered < result.windows || (!result.hasEnd && result.outOfRange == result.inRange) {
            result.tracking = .notCovered
        } else if result.windows > 0 {
            result.tracking = .holds
        }
    }

    /// Returns the longest time without a reading while the receiver listened; `nil` when it listened to no part of the
    /// phase.
    private func longestGap(_ tally: PhaseTally, _ inRange: Timestamp, _ outOfRange: Timestamp) -> Duration? {
        guard let first = tally.first, let last = tally.last else {
            return coverage.intervals.map { min($0.to, outOfRange) - max($0.from, inRange) }.filter { $0 > .zero }.max()
        }
        // The gaps before the first and after the last reading count only as far as the receiver listened.
        let before = coverage.intervals.last { $0.from <= first }?.from ?? first
        let after = coverage.intervals.first { $0.to >= last }?.to ?? last
        return max(
            tally.longestPause, first - min(first, max(inRange, before)), max(last, min(outOfRange, after)) - last)
    }
}
