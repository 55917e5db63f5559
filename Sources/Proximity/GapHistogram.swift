import BeaconModel
import RealModule

/// Counts of gaps between a subject's advertisements, in four bins per octave from 16 ms to 16.8 s. They yield the
/// advertising interval, of which the gaps are multiples.
struct GapHistogram: Sendable {
    private var counts: [40 of UInt8] = .init(repeating: 0)
    /// Mean of the gaps that are one interval long, in seconds, and their number.
    private var mean = 0.0
    private var ones = 0.0

    private static let bins = 40
    /// Exponent of the lowest bin in microseconds: 2^14 us.
    private static let lowest = 14
    /// Number of gaps of one interval from which the interval counts as known.
    private static let enough = 8.0

    mutating func add(_ gap: Duration) {
        let microseconds = max(1, gap.clampedMicroseconds)
        let exponent = Int64.bitWidth - 1 - microseconds.leadingZeroBitCount
        guard exponent >= Self.lowest else { return }
        let bin = (exponent - Self.lowest) * 4 + Int(truncatingIfNeeded: microseconds >> (exponent - 2)) & 3
        guard bin < Self.bins else { return }
        if counts[bin] == .max { for index in counts.indices { counts[index] /= 2 } }
        counts[bin] += 1
        let seconds = Double(microseconds) / 1e6
        if ones > 0, abs(seconds / mean - 1) < 0.2 {
            ones = min(ones + 1, 256)
            mean += (seconds - mean) / ones
        } else if ones < Self.enough || seconds < mean, let first = shortestCommon, first == bin {
            // The interval is shorter than assumed.
            ones = 1
            mean = seconds
        }
    }

    /// Whether the values read from a file are plausible.
    var isPlausible: Bool { (0.0...1e6).contains(mean) && (0.0...256).contains(ones) }

    /// Advertising interval in seconds; `nil` while unknown.
    var interval: Double? { ones >= Self.enough ? mean : nil }

    /// First bin that, with the next, has a third of the count of the fullest two neighbours. Single short gaps come
    /// from the random delay and from other devices.
    private var shortestCommon: Int? {
        var fullest = 0
        for bin in 0..<(Self.bins - 1) { fullest = max(fullest, Int(counts[bin]) + Int(counts[bin + 1])) }
        guard fullest >= 4 else { return nil }
        for bin in 0..<(Self.bins - 1) where 3 * (Int(counts[bin]) + Int(counts[bin + 1])) >= fullest {
            return counts[bin] > 0 ? bin : bin + 1
        }
        return nil
    }
}

/// Codes the mean, its count and the bins as a list.
extension GapHistogram: Codable {
    init(from decoder: any Decoder) throws {
        var container = try decoder.unkeyedContainer()
        mean = try container.decode(Double.self)
        ones = try container.decode(Double.self)
        for index in counts.indices { counts[index] = try container.decode(UInt8.self) }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.unkeyedContainer()
        try container.encode(mean)
        try container.encode(ones)
        for index in counts.indices { try container.encode(counts[index]) }
    }
}
