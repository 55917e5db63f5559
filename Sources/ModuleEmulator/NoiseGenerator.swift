import BeaconModel

/// A simulated line that damages a share of its bytes, reproducibly for the same seed.
struct NoiseGenerator: Sendable {
    private let share: Double
    private var random: SplitMix64

    /// - Parameter share: the share of damaged bytes, 0 to 1.
    init(seed: UInt64, share: Double) {
        random = SplitMix64(seed: seed)
        self.share = min(max(share.isNaN ? 0 : share, 0), 1)
    }

    /// Returns `byte`, or another byte if it is damaged.
    mutating func damaged(_ byte: UInt8) -> UInt8 {
        guard share > 0, random.uniform() < share else { return byte }
        return byte ^ UInt8(truncatingIfNeeded: 1 + random.next() % 255)
    }
}
