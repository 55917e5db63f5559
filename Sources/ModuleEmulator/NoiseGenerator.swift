/// A simulated line that damages a share of its bytes, reproducibly for the same seed.
struct NoiseGenerator: Sendable {
    private let share: Double
    /// State of SplitMix64 (Steele, Lea, Flood: "Fast splittable pseudorandom number generators", 2014).
    private var state: UInt64

    /// - Parameter share: the share of damaged bytes, 0 to 1.
    init(seed: UInt64, share: Double) {
        state = seed
        self.share = min(max(share.isNaN ? 0 : share, 0), 1)
    }

    /// Returns `byte`, or another byte if it is damaged.
    mutating func damaged(_ byte: UInt8) -> UInt8 {
        guard share > 0, Double(next() >> 11) * 0x1p-53 < share else { return byte }
        return byte ^ UInt8(truncatingIfNeeded: 1 + next() % 255)
    }

    private mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
