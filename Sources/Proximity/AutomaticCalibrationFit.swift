extension AutomaticCalibration {
    /// Values fitted to the remembered means of the beacons by ridge regression: the posterior mean of a linear model
    /// with normal priors around the configured values (C. M. Bishop, "Pattern Recognition and Machine Learning", 3.3).
    ///
    /// The adapters' means of one beacon share its effect, which is integrated out by the Sherman-Morrison formula.
    /// Outlying beacons count less, by Huber's weights, found by iterated reweighting. The weights found with all
    /// beacons also serve when one is held out. The held-out beacon cannot gain by them: they only express how little
    /// the others are trusted.
    struct Fit {
        private let configured: Values
        private let records: [Record]
        /// Huber's weight of each record, 0 to 1; 0 for unused records.
        private(set) var weights: [Double]

        init(_ records: [Record], configured: Values) {
            self.configured = configured
            self.records = records
            weights = records.map { $0.isUsable ? 1 : 0 }
            var values = configured
            for _ in 0..<Constants.rounds {
                values = target(from: values)
                for index in records.indices where weights[index] > 0 {
                    let summary = Summary(records[index], values)
                    let residual = abs(summary.mean) / summary.deviation
                    weights[index] = min(1, Constants.huber / max(residual, 1e-9))
                }
            }
        }

        var beaconsUsed: Int { weights.count { $0 > 0 } }

        /// Returns the values that fit the beacons.
        ///
        /// - Parameters:
        ///   - centre: the exponent to keep when the distances do not determine it.
        ///   - heldOut: the number of a record to leave out.
        func target(from centre: Values, without heldOut: Int? = nil) -> Values {
            let used = records.indices.filter { weights[$0] > 0 && $0 != heldOut }
            guard let nearest = used.map({ records[$0].distance }).min(),
                let farthest = used.map({ records[$0].distance }).max()
            else { return Values(exponent: centre.exponent, offsets: configured.offsets) }
            let tellsExponent = farthest >= Constants.leastSpread * nearest
            var origin = configured
            if !tellsExponent { origin.exponent = centre.exponent }
            // The first unknown is the exponent, the others are the offsets, all relative to their values in `origin`.
            var equations = NormalEquations(unknowns: Constants.mostAdapters + 1)
            equations.add(0, 0, 1 / (Constants.exponentDeviation * Constants.exponentDeviation))
            for index in 1...Constants.mostAdapters {
                equations.add(index, index, 1 / (Constants.offsetDeviation * Constants.offsetDeviation))
            }
            for index in used {
                let summary = Summary(records[index], origin)
                summary.add(to: &equations, weight: weights[index], gain: tellsExponent ? records[index].gain : 0)
            }
            let solution = equations.solution()
            var values = origin
            values.exponent += solution[0]
            for index in values.offsets.indices { values.offsets[index] += solution[index + 1] }
            return values.bounded(else: centre)
        }
    }

    /// Residuals of a beacon.
    private struct Summary {
        /// Residual of each adapter in dB, with its precision in 1/dB². Adapters without one are omitted.
        private var precisions: [(adapter: Int, precision: Double, residual: Double)] = []
        private var precision = 0.0
        private var weighted = 0.0

        init(_ record: Record, _ values: Values) {
            for (adapter, cell) in record.cells.enumerated() where cell.weight >= Constants.leastWeight {
                let part = cell.precision(weight: cell.weight)
                let residual = cell.mean - values.prediction(record, adapter: adapter)
                precisions.append((adapter, part, residual))
                precision += part
                weighted += part * residual
            }
        }

        /// Mean residual in dB, and its standard deviation including the beacon's effect.
        var mean: Double { weighted / precision }
        var deviation: Double { (Constants.beaconDeviation * Constants.beaconDeviation + 1 / precision).squareRoot() }

        func add(to equations: inout NormalEquations, weight: Double, gain: Double) {
            let total = precision + 1 / (Constants.beaconDeviation * Constants.beaconDeviation)
            let share = 1 - precision / total
            equations.add(0, 0, weight * gain * gain * precision * share)
            equations.addRight(0, weight * gain * weighted * share)
            for one in precisions {
                equations.add(0, one.adapter + 1, weight * gain * one.precision * share)
                equations.addRight(one.adapter + 1, weight * one.precision * (one.residual - weighted / total))
                equations.add(one.adapter + 1, one.adapter + 1, weight * one.precision)
                for other in precisions where other.adapter >= one.adapter {
                    let shared = weight * one.precision * other.precision / total
                    equations.add(one.adapter + 1, other.adapter + 1, -shared)
                }
            }
        }
    }
}

extension AutomaticCalibration.Cell {
    /// Returns the precision, in 1/dB², of a mean with a weight in periods.
    func precision(weight: Double) -> Double {
        let constant = AutomaticCalibration.Constants.antennaDeviation
        let fading = AutomaticCalibration.Constants.fading
        return 1 / (constant * constant + fading * fading / weight)
    }
}
