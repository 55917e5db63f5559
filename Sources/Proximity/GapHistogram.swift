import BeaconModel
import RealModule

/// Counts of gaps between a subject's advertisements, four bins an octave, 16 ms to 16.8 s: finds the advertising
/// interval, of which the gaps are multiples.
struct GapHistogram: Sendable {
    private var counts: [40 of UInt8] = .init(repeating: 0)
    /// The mean of the gaps that are one interval long, in seconds, and how many those are.
    private var mean = 0.0
    private var ones = 0.0

    private static let bins = 40
    /// The exponent of the lowest bin in microseconds: 2^14 us.
    private static let lowest = 14
    /// Gaps of one interval that have to be heard before it counts as known.
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
            // A shorter interval than was thought.
            ones = 1
            mean = seconds
        }
    }

    /// Whether what was read of it can be.
    var isPlausible: Bool { (0.0...1e6).contains(mean) && (0.0...256).contains(ones) }

    /// Seconds.
    var interval: Double? { ones >= Self.enough ? mean : nil }

    /// The first bin that, with the next, has a third of what the fullest two neighbours have: single short gaps are
    /// the random delay's and other devices'.
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

/// The counts as a list.
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
