import BeaconModel

/// Signals of one subject in the current interval.
struct ReadingsTally: Sendable {
    private(set) var count: UInt32 = 0
    /// Number of packets with a plausible RSSI.
    private var plausible: UInt32 = 0
    /// Sum of RSSI values in dBm.
    private var sum: Int64 = 0

    /// Adds a packet.
    ///
    /// - Parameter rssi: dBm; `nil` without a plausible one.
    mutating func add(_ rssi: Int8?) {
        // In hostile data, time may stand still.
        guard count < .max else { return }
        count += 1
        guard let rssi else { return }
        plausible += 1
        sum += Int64(rssi)
    }

    /// Adds a tally of the same subject from before it departed and returned.
    mutating func add(_ other: ReadingsTally) {
        count = count.addingSaturating(other.count)
        plausible = plausible.addingSaturating(other.plausible)
        sum += other.sum
    }

    /// Mean RSSI in dBm; `nil` without a plausible one.
    var mean: Double? { plausible > 0 ? Double(sum) / Double(plausible) : nil }
}

extension UInt32 {
    fileprivate func addingSaturating(_ other: UInt32) -> UInt32 {
        let (sum, overflow) = addingReportingOverflow(other)
        return overflow ? .max : sum
    }
}
