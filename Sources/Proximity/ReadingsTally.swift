import BeaconModel

/// What was heard of one subject in the interval that goes on.
struct ReadingsTally: Sendable {
    private(set) var count: UInt32 = 0
    /// Of those with a plausible RSSI.
    private var plausible: UInt32 = 0
    /// In dBm.
    private var sum: Int64 = 0

    /// - Parameter rssi: dBm; `nil` without a plausible one.
    mutating func add(_ rssi: Int8?) {
        // Time may stand still in hostile data.
        guard count < .max else { return }
        count += 1
        guard let rssi else { return }
        plausible += 1
        sum += Int64(rssi)
    }

    /// Of the same subject, before it left and came again.
    mutating func add(_ other: ReadingsTally) {
        count = count.addingSaturating(other.count)
        plausible = plausible.addingSaturating(other.plausible)
        sum += other.sum
    }

    /// dBm; `nil` without a plausible one.
    var mean: Double? { plausible > 0 ? Double(sum) / Double(plausible) : nil }
}

extension UInt32 {
    fileprivate func addingSaturating(_ other: UInt32) -> UInt32 {
        let (sum, overflow) = addingReportingOverflow(other)
        return overflow ? .max : sum
    }
}
