public import BeaconModel

/// Counts of plausible RSSI values, -110 to -1 dBm: the exact median of any number of samples in fixed space.
public struct RSSIHistogram: Sendable {
    private var counts: [110 of UInt32] = .init(repeating: 0)
    private var total: UInt64 = 0

    /// Creates an empty histogram.
    public init() {}

    /// Counts a value; an implausible one is ignored.
    public mutating func add(_ rssi: RSSI) {
        guard rssi.isPlausible else { return }
        let index = Int(rssi.dBm) + 110
        guard counts[index] < .max else { return }
        counts[index] += 1
        total += 1
    }

    /// Median, minimum and maximum; `nil` while empty. The median of an even number of samples is the lower of the
    /// middle two.
    public var summary: Interaction.RSSISummary? {
        guard total > 0 else { return nil }
        var seen: UInt64 = 0
        var minimum: Int?
        var median: Int?
        var maximum = 0
        for index in counts.indices where counts[index] > 0 {
            seen += UInt64(counts[index])
            if minimum == nil { minimum = index }
            if median == nil, seen >= (total + 1) / 2 { median = index }
            maximum = index
        }
        return Interaction.RSSISummary(
            median: (median ?? 0) - 110, minimum: (minimum ?? 0) - 110, maximum: maximum - 110)
    }
}

/// Codes the nonzero counts, each after its index.
extension RSSIHistogram: Codable {
    public init(from decoder: any Decoder) throws {
        var container = try decoder.unkeyedContainer()
        while !container.isAtEnd {
            let index = try container.decode(Int.self)
            let count = try container.decode(UInt32.self)
            guard counts.indices.contains(index) else {
                throw DecodingError.dataCorruptedError(in: container, debugDescription: "no place \(index)")
            }
            counts[index] = count
            total += UInt64(count)
        }
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.unkeyedContainer()
        for index in counts.indices where counts[index] > 0 {
            try container.encode(index)
            try container.encode(counts[index])
        }
    }
}
