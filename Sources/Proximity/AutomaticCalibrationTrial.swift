extension AutomaticCalibration {
    /// Comparison of values with the signals of the latest period. Each beacon is compared with the values that result
    /// without it.
    struct Trial {
        private let records: [Record]
        /// Whether beacons are left out of the fit. A single usable beacon is held out in time only.
        private let isLeavingOut: Bool

        init(_ records: [Record]) {
            self.records = records
            isLeavingOut = records.count(where: \.isUsable) > 1
        }

        /// Returns the RMS error in dB, with Huber's function instead of the square; `nil` when no signals were
        /// received for a comparison.
        ///
        /// - Parameter without: returns the values without the beacon of a number; `nil` when they are the same.
        func error(of values: Values, without: (Int) -> Values?) -> Double? {
            var sum = 0.0
            var count = 0.0
            for (index, record) in records.enumerated() where record.isTrusted {
                let values = isLeavingOut ? without(index) ?? values : values
                guard let residual = latestResidual(record, values) else { continue }
                let size = abs(residual)
                sum +=
                    size <= Constants.errorKnee ? size * size : Constants.errorKnee * (2 * size - Constants.errorKnee)
                count += 1
            }
            return count > 0 ? (sum / count).squareRoot() : nil
        }

        /// Whether an error is larger by more than a margin (dB), with the fading of one period taken into account.
        static func isWorse(_ error: Double, than other: Double, by margin: Double) -> Bool {
            func withFading(_ error: Double) -> Double {
                (error * error + Constants.fading * Constants.fading).squareRoot()
            }
            return withFading(error) > withFading(other) + margin
        }

        private func latestResidual(_ record: Record, _ values: Values) -> Double? {
            var precision = 0.0
            var weighted = 0.0
            for (adapter, cell) in record.cells.enumerated() where cell.latestWeight >= Constants.leastHeldOutWeight {
                let part = cell.precision(weight: cell.latestWeight)
                precision += part
                weighted += part * (cell.latestMean - values.prediction(record, adapter: adapter))
            }
            return precision > 0 ? weighted / precision : nil
        }
    }
}

extension AutomaticCalibration.State {
    private typealias Constants = AutomaticCalibration.Constants

    /// Judges the applied values by the latest period, and rolls them back or goes a step further.
    mutating func learn(_ rules: AutomaticCalibration.Rules) {
        let trial = AutomaticCalibration.Trial(records)
        guard let configuredError = trial.error(of: configured, without: { _ in nil }),
            let appliedError = trial.error(of: applied, without: { records[$0].appliedWithout }),
            let goodError = trial.error(of: good, without: { records[$0].goodWithout })
        else { return }
        heldOutError = AutomaticCalibration.HeldOutError(
            configured: configuredError, applied: appliedError,
            configuredFactor: configured.distanceFactor(configuredError),
            appliedFactor: applied.distanceFactor(appliedError))
        if pauseLeft > 0 {
            pauseLeft -= 1
            return
        }
        let best = min(configuredError, goodError)
        let isWorse = AutomaticCalibration.Trial.isWorse(appliedError, than: best, by: Constants.rollbackMargin)
        worsePeriods = isWorse ? worsePeriods + 1 : 0
        if worsePeriods >= Constants.worsePeriods {
            rollBack(toConfigured: configuredError <= goodError, pause: rules.pausedPeriods)
            return
        }
        bestPeriods = appliedError <= best ? bestPeriods + 1 : 0
        if bestPeriods >= Constants.confirmingPeriods {
            bestPeriods = 0
            good = applied
            for index in records.indices { records[index].goodWithout = records[index].appliedWithout }
        }
        apply(trial, unlessWorseThan: min(best, appliedError))
    }

    /// Applies a step towards the fitted values, unless its error exceeds a limit. The limit includes the error of the
    /// applied values, so that no step makes it worse, and that of the rollback values, so that many small steps do not
    /// either.
    ///
    /// - Parameter best: the limit for the error, in dB.
    private mutating func apply(_ trial: AutomaticCalibration.Trial, unlessWorseThan best: Double) {
        let fit = AutomaticCalibration.Fit(records, configured: configured)
        guard fit.beaconsUsed > 0 else { return }
        let candidate = applied.step(towards: fit.target(from: applied))
        let without = records.indices.map { index -> AutomaticCalibration.Values? in
            let record = records[index]
            // While a beacon was never used, it has no influence on the applied values.
            guard fit.weights[index] > 0 || record.appliedWithout != nil else { return nil }
            let values = record.appliedWithout ?? applied
            return values.step(towards: fit.target(from: values, without: index))
        }
        guard let error = trial.error(of: candidate, without: { without[$0] }) else { return }
        heldOutError?.candidate = error
        heldOutError?.candidateFactor = candidate.distanceFactor(error)
        guard !AutomaticCalibration.Trial.isWorse(error, than: best, by: Constants.candidateMargin) else { return }
        applied = candidate
        for index in records.indices { records[index].appliedWithout = without[index] }
    }

    /// Restores earlier values. The remembered means are discarded, because they supported values that proved wrong.
    private mutating func rollBack(toConfigured: Bool, pause: Int) {
        if toConfigured {
            good = configured
            for index in records.indices { records[index].goodWithout = nil }
        }
        applied = good
        for index in records.indices {
            records[index].appliedWithout = records[index].goodWithout
            records[index].forgetMeans()
        }
        rollbacks &+= 1
        worsePeriods = 0
        bestPeriods = 0
        pauseLeft = pause
    }
}
