extension AutomaticCalibration.State {
    private typealias Constants = AutomaticCalibration.Constants

    /// Finds beacons whose signals differ from memory while those of most others do not: they were moved, or put back.
    mutating func findMoved() {
        let jumps = jumps
        for index in records.indices {
            guard let jump = jumps[index] else { continue }
            let isSuspect = records[index].isSuspect
            let isDifferent = isSuspect ? abs(jump) < Constants.jumpBack : abs(jump) > Constants.jump
            records[index].differentPeriods = isDifferent ? records[index].differentPeriods + 1 : 0
            guard records[index].differentPeriods >= Constants.jumpPeriods else { continue }
            records[index].differentPeriods = 0
            records[index].isSuspect = !isSuspect
        }
    }

    /// Excess of each beacon's signal over memory, in dB. The median change is subtracted, because it is due to the
    /// adapter.
    private var jumps: [Double?] {
        var sums = Array(repeating: (jump: 0.0, weight: 0.0), count: records.count)
        for adapter in 0..<Constants.mostAdapters {
            let changes = records.indices.compactMap { index in
                records[index].change(adapter: adapter).map { (index: index, change: $0, weight: $1) }
            }
            guard changes.count >= Constants.leastWitnesses else { continue }
            let sorted = changes.map(\.change).sorted()
            let median = (sorted[sorted.count / 2] + sorted[(sorted.count - 1) / 2]) / 2
            for change in changes {
                sums[change.index].jump += change.weight * (change.change - median)
                sums[change.index].weight += change.weight
            }
        }
        return sums.map { $0.weight > 0 ? $0.jump / $0.weight : nil }
    }
}

extension AutomaticCalibration.Record {
    /// Returns the difference, in dB, of the latest mean from the remembered one, and the weight of the former.
    fileprivate func change(adapter: Int) -> (Double, Double)? {
        guard cells.indices.contains(adapter) else { return nil }
        let cell = cells[adapter]
        guard cell.weight >= AutomaticCalibration.Constants.leastBaseline,
            cell.latestWeight >= AutomaticCalibration.Constants.leastHeldOutWeight
        else { return nil }
        return (cell.latestMean - cell.mean, cell.latestWeight)
    }
}
