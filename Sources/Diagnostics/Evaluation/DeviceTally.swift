package import BeaconModel

/// Running totals of the readings of one device in a schedule.
package struct DeviceTally: Sendable {
    /// Totals for each phase of the device.
    package private(set) var phases: [PhaseTally]
    /// Totals for the times out of range: before the first phase, then after each phase.
    package private(set) var leaks: [LeakTally]
    package private(set) var bins: ReadingBins
    /// Whether each of the device's identities has been heard, in the order of the schedule.
    package private(set) var isHeard: [Bool]

    init(_ device: EvaluationSchedule.Device, origin: Timestamp) {
        phases = Array(repeating: PhaseTally(), count: device.phases.count)
        leaks = Array(repeating: LeakTally(), count: device.phases.count + 1)
        isHeard = Array(repeating: false, count: device.identities.count)
        bins = ReadingBins(origin: origin)
    }

    mutating func noteHeard(identity index: Int) {
        if isHeard.indices.contains(index) { isHeard[index] = true }
    }

    /// Adds a reading to the phase in which it falls, or to the leak between phases.
    ///
    /// - Parameter offset: time of the reading, relative to the start of the schedule.
    package mutating func add(
        at time: Timestamp, offset: Duration, rssi: RSSI?, of device: EvaluationSchedule.Device, window: Duration
    ) {
        // Index of the first phase that begins after the reading.
        let next = device.phases.partitioningIndex { $0.inRange > offset }
        let phase = next > 0 ? device.phases[next - 1] : nil
        if let phase, phase.outOfRange.map({ offset < $0 }) ?? true {
            phases[next - 1].add(at: time, offset: offset - phase.inRange, window: window, rssi: rssi)
            bins.add(at: time, isInRange: true)
        } else {
            leaks[next].add(at: time, rssi: rssi)
            bins.add(at: time, isInRange: false)
        }
    }
}
