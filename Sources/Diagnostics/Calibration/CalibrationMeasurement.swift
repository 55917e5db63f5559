package import BeaconModel
import RealModule

/// RSSI measurement of one beacon at one known distance. Pure; its size is bounded, whatever is received.
package struct CalibrationMeasurement: Sendable {
    package let rules: CalibrationRules
    /// Time of the first packet, or the first time passed to `advance`.
    private var start: Timestamp?
    private var now: Timestamp?
    /// Number of packets by RSSI, -110 to -1 dBm.
    private var counts = [Int](repeating: 0, count: 110)
    /// Packets and their RSSI sums by second since the start. Packets within a second share the fading and are
    /// averaged.
    private var seconds: [(packets: Int, sum: Double)] = []
    package private(set) var packets = 0

    package init(rules: CalibrationRules = CalibrationRules()) { self.rules = rules }

    /// Adds a packet. Ignores implausible RSSI values and packets after the longest measuring time.
    package mutating func add(_ rssi: RSSI, at time: Timestamp) {
        advance(to: time)
        guard rssi.isPlausible, let start, time - start < rules.longest else { return }
        let second = Int(clamping: max(0, (time - start).components.seconds))
        while seconds.count <= second { seconds.append((0, 0)) }
        seconds[second].packets += 1
        seconds[second].sum += Double(rssi.dBm)
        counts[Int(rssi.dBm) + 110] += 1
        packets += 1
    }

    /// Advances the time. If the clock has been set back by more than 1 s, the measurement starts again.
    package mutating func advance(to time: Timestamp) {
        if let now, now - time > .seconds(1) { self = CalibrationMeasurement(rules: rules) }
        start = start ?? time
        now = max(now ?? time, time)
    }

    package var elapsed: Duration {
        guard let start, let now else { return .zero }
        return now - start
    }

    /// Mean RSSI of each second in which a packet was received, oldest first.
    package var secondMeans: [Double] { seconds.filter { $0.packets > 0 }.map { $0.sum / Double($0.packets) } }

    /// Summary of the measurement; `nil` until a packet has been received.
    package var summary: Summary? {
        guard packets > 0 else { return nil }
        let mean = trimmedMean
        let means = secondMeans
        return Summary(
            mean: mean, spread: spread, packets: packets, seconds: means.count,
            standardError: Self.standardError(of: means), elapsed: elapsed)
    }

    package struct Summary: Equatable, Sendable {
        /// Mean in dBm without the weakest and the strongest tenth of the packets.
        package var mean: Double
        /// Standard deviation of all packets, in dB.
        package var spread: Double
        package var packets: Int
        /// Number of seconds in which a packet was received.
        package var seconds: Int
        /// Standard error of `mean`, in dB; `nil` with fewer than three seconds.
        package var standardError: Double?
        package var elapsed: Duration
    }

    /// Mean without a tenth of the packets at each end, so that a few packets by way of a reflection, or behind a hand,
    /// do not count.
    private var trimmedMean: Double {
        let cut = packets / 10
        var before = 0
        var sum = 0.0
        for (index, count) in counts.enumerated() where count > 0 {
            let first = max(before, cut)
            let last = min(before + count, packets - cut)
            if last > first { sum += Double(last - first) * Double(index - 110) }
            before += count
        }
        return sum / Double(packets - 2 * cut)
    }

    private var spread: Double {
        guard packets > 1 else { return 0 }
        let values = counts.enumerated().map { (count: Double($0.element), dBm: Double($0.offset - 110)) }
        let mean = values.reduce(0) { $0 + $1.count * $1.dBm } / Double(packets)
        let squares = values.reduce(0) { $0 + $1.count * ($1.dBm - mean) * ($1.dBm - mean) }
        return (squares / Double(packets - 1)).squareRoot()
    }

    /// Returns the standard error of the mean of one-second blocks. Neighbouring blocks that resemble each other reduce
    /// the number of independent ones: of `k` blocks with the lag-1 autocorrelation `r`, `k (1 - r) / (1 + r)` are
    /// independent (G. V. Bayley and J. M. Hammersley, "The 'effective' number of independent observations", 1946), and
    /// never more than one a second.
    ///
    /// RSSI comes in whole dB: a value that never varies is still only known to 1 dB / sqrt(12).
    private static func standardError(of means: [Double]) -> Double? {
        guard means.count > 2 else { return nil }
        let count = Double(means.count)
        let mean = means.reduce(0, +) / count
        let squares = means.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
        let rounding = (1.0 / 12).squareRoot()
        guard squares > 0 else { return rounding }
        let products = zip(means, means.dropFirst()).reduce(0) { $0 + ($1.0 - mean) * ($1.1 - mean) }
        let correlation = min(max(products / squares, 0), 0.9)
        let independent = count * (1 - correlation) / (1 + correlation)
        return max((squares / (count - 1) / independent).squareRoot(), rounding)
    }
}
