/// Eight cells, which are computed at once.
typealias Cells = SIMD8<Float>

extension SIMD8<Float> {
    /// Returns the natural logarithm of positive, normal numbers to about 1e-6.
    ///
    /// The exponent is split off, and a polynomial approximates the rest from √½ to √2. Source: S. L. Moshier, Cephes
    /// mathematical library, 1984, `logf`.
    @inline(__always)
    func approximateLogarithm() -> SIMD8<Float> {
        let bits = unsafeBitCast(self, to: SIMD8<UInt32>.self)
        let mantissas = unsafeBitCast((bits & 0x007F_FFFF) | 0x3F00_0000, to: SIMD8<Float>.self)
        let isSmall = mantissas .< 0.707_106_77
        let exponents = unsafeBitCast((bits &>> 23) &+ (Self.shiftBits &- 126), to: SIMD8<Float>.self) - Self.shift
        let power = exponents - SIMD8<Float>.zero.replacing(with: 1, where: isSmall)
        let mantissa = mantissas + SIMD8<Float>.zero.replacing(with: mantissas, where: isSmall)
        let x = mantissa - 1
        let square = x * x
        var sum = x * 7.037_683_6e-2 + (-1.151_461_03e-1)
        sum = sum * x + 1.167_699_87e-1
        sum = sum * x + (-1.242_014_08e-1)
        sum = sum * x + 1.424_932_28e-1
        sum = sum * x + (-1.666_805_77e-1)
        sum = sum * x + 2.000_071_48e-1
        sum = sum * x + (-2.499_999_4e-1)
        sum = sum * x + 3.333_333_1e-1
        return x + (sum * x * square - square * 0.5) + power * 0.693_147_2
    }

    /// Number to which whole numbers are added to be converted: the last bits of the sum are the whole number.
    private static let shift: Float = 12_582_912
    private static let shiftBits: UInt32 = 0x4B40_0000

    /// Returns the exponential of numbers up to 0 to about 1e-6; 0 below -80.
    ///
    /// Source: S. L. Moshier, Cephes mathematical library, 1984, `expf`.
    @inline(__always)
    func approximateExponential() -> SIMD8<Float> {
        let x = orGreater(SIMD8(repeating: -80)).orLess(.zero)
        let shifted = x * 1.442_695_04 + Self.shift
        let power = shifted - Self.shift
        let rest = x - power * 0.693_359_375 + power * 2.121_944_4e-4
        var sum = SIMD8<Float>(repeating: 1.987_569_15e-4)
        sum = sum * rest + 1.398_199_95e-3
        sum = sum * rest + 8.333_451_9e-3
        sum = sum * rest + 4.166_579_6e-2
        sum = sum * rest + 1.666_666_55e-1
        sum = sum * rest + 5.000_000_1e-1
        let value = sum * rest * rest + rest + 1
        let bits = (unsafeBitCast(shifted, to: SIMD8<UInt32>.self) &- Self.shiftBits &+ 127) &<< 23
        let result = value * unsafeBitCast(bits, to: SIMD8<Float>.self)
        return result.replacing(with: 0, where: self .< -80)
    }

    /// Returns the greater of each two numbers. `pointwiseMax` takes one number after the other.
    @inline(__always)
    func orGreater(_ other: SIMD8<Float>) -> SIMD8<Float> { replacing(with: other, where: other .> self) }

    /// Returns the lesser of each two numbers.
    @inline(__always)
    func orLess(_ other: SIMD8<Float>) -> SIMD8<Float> { replacing(with: other, where: other .< self) }

    /// Number of groups for a number of cells.
    static func groups(_ cells: Int) -> Int { (cells + 7) / 8 }
}
