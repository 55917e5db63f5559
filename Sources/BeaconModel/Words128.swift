/// Storage of 128 bits that is aligned to 8 bytes.
///
/// Compilers up to 6.3.1 copy small values that hold a `UInt128`, whose alignment is 16 bytes, by instructions for aligned
/// memory from memory that isn't, when they don't optimize.
struct Words128: Hashable, Sendable {
    private let high: UInt64
    private let low: UInt64

    init(_ bits: UInt128) {
        high = UInt64(truncatingIfNeeded: bits >> 64)
        low = UInt64(truncatingIfNeeded: bits)
    }

    var bits: UInt128 { UInt128(high) << 64 | UInt128(low) }
}
