import BeaconModel

extension AutomaticCalibration {
    /// Learned values with the data behind them, for a restart.
    public struct State: Codable, Equatable, Sendable {
        /// Records in the order of the beacons.
        var records: [Record]
        var configured: Values
        var applied: Values
        /// Values that a rollback restores.
        var good: Values
        /// Time of the data, in microseconds since 1970; `nil` before any packet.
        var now: Int64?
        var periodEnd: Int64 = 0
        /// Periods until learning resumes.
        var pauseLeft = 0
        /// Consecutive periods in which the applied values were worse than others.
        var worsePeriods = 0
        /// Consecutive periods in which the applied values were the best.
        var bestPeriods = 0
        var rollbacks: UInt64 = 0
        var heldOutError: HeldOutError?

        init(beacons: [BeaconID], distances: [Double], configured: Values) {
            records = zip(beacons, distances).map { Record($0, distance: $1) }
            self.configured = configured
            applied = configured
            good = configured
        }

        /// Restores the valid parts of an earlier state: the means of beacons that have not been moved and, if the
        /// configured values are the same, everything learned from them.
        mutating func resume(_ other: State, rules: Rules) {
            var earlier: [BeaconID: Record] = [:]
            for record in other.records.prefix(Constants.mostBeacons) {
                if let beacon = record.beacon { earlier[beacon] = record }
            }
            let isSameConfiguration = other.configured == configured
            for index in records.indices {
                guard let beacon = records[index].beacon, let record = earlier[beacon],
                    record.distance == records[index].distance
                else { continue }
                records[index].resume(record, configured: configured)
                if !isSameConfiguration {
                    records[index].appliedWithout = nil
                    records[index].goodWithout = nil
                }
            }
            if let time = other.now {
                now = Timestamp(microseconds: time).microseconds
                // The end of the period cannot be later than this.
                let longest = Timestamp(microseconds: time).microseconds + rules.periodMicroseconds
                periodEnd = min(max(other.periodEnd, 0), longest)
            }
            rollbacks = other.rollbacks
            guard isSameConfiguration else { return }
            applied = other.applied.bounded(else: configured)
            good = other.good.bounded(else: configured)
            pauseLeft = min(max(other.pauseLeft, 0), rules.pausedPeriods)
            worsePeriods = min(max(other.worsePeriods, 0), Constants.worsePeriods)
            bestPeriods = min(max(other.bestPeriods, 0), Constants.confirmingPeriods)
            heldOutError = other.heldOutError
        }

        /// Numbers of the adapters that have received a fixed beacon.
        var adaptersHeard: [Int] {
            (0..<Constants.mostAdapters).filter { adapter in
                records.contains { record in
                    guard record.cells.indices.contains(adapter) else { return false }
                    return record.cells[adapter].count > 0 || record.cells[adapter].weight > 0
                }
            }
        }
    }
}
