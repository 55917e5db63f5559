import Glibc

/// Random numbers that are the same at each run (SplitMix64).
struct SplitMix: RandomNumberGenerator, Sendable {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    /// Another sequence for each purpose and number, so that what one draws changes nothing for others.
    init(seed: UInt64, _ purpose: Purpose, _ number: Int = 0) {
        state = seed
        state = next() ^ purpose.rawValue &* 0xD1B5_4A32_D192_ED03
        state = next() ^ UInt64(truncatingIfNeeded: number) &* 0x8CB9_2BA7_2F3D_8DD7
    }

    enum Purpose: UInt64, Sendable {
        case agenda = 1
        case walk, badge, room, link, sending, fault, survey, modules
    }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
        return mixed ^ mixed >> 31
    }

    /// From 0 to below 1.
    mutating func unit() -> Double { Double(next() >> 11) * 0x1p-53 }

    mutating func number(in range: ClosedRange<Double>) -> Double {
        range.lowerBound + (range.upperBound - range.lowerBound) * unit()
    }

    mutating func number(in range: ClosedRange<Int>) -> Int {
        range.lowerBound + Int(unit() * Double(range.upperBound - range.lowerBound + 1))
    }

    /// Two independent standard normal numbers, by Box and Muller.
    mutating func normals() -> (Double, Double) {
        let radius = (-2 * log(1 - unit())).squareRoot()
        let angle = 2 * .pi * unit()
        return (radius * cos(angle), radius * sin(angle))
    }

    /// Exponentially distributed.
    mutating func waiting(mean: Double) -> Double { -mean * log(1 - unit()) }
}
