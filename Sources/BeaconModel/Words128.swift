/// Storage for 128 bits that is aligned to 8 bytes.
///
/// Without optimization, compilers up to 6.3.1 copy small values that contain a `UInt128`, whose alignment is 16 bytes,
/// with instructions for aligned memory, even from memory that is not aligned.
struct Words128: Hashable, Sendable {
    private let high: UInt64
    private let low: UInt64

    init(_ bits: UInt128) {
        high = UInt64(truncatingIfNeeded: bits >> 64)
        low = UInt64(truncatingIfNeeded: bits)
    }

    var bits: UInt128 { UInt128(high) << 64 | UInt128(low) }
}
