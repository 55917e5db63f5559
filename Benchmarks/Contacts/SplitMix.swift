import BeaconModel
import Glibc

/// Random numbers that are the same at each run (SplitMix64).
struct SplitMix: RandomNumberGenerator, Sendable {
    private var generator: SplitMix64

    init(seed: UInt64) { generator = SplitMix64(seed: seed) }

    /// Another sequence for each purpose and number, so that what one draws changes nothing for others.
    init(seed: UInt64, _ purpose: Purpose, _ number: Int = 0) {
        generator = SplitMix64(seed: seed)
        generator = SplitMix64(seed: next() ^ purpose.rawValue &* 0xD1B5_4A32_D192_ED03)
        generator = SplitMix64(seed: next() ^ UInt64(truncatingIfNeeded: number) &* 0x8CB9_2BA7_2F3D_8DD7)
    }

    enum Purpose: UInt64, Sendable {
        case agenda = 1
        case walk, badge, room, link, sending, fault, survey, modules
    }

    mutating func next() -> UInt64 { generator.next() }

    /// From 0 to below 1.
    mutating func unit() -> Double { generator.uniform() }

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
