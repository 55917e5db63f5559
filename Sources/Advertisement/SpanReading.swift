extension Span<UInt8> {
    /// Reads a big-endian number at `offset`. The caller must have checked the length.
    @inline(__always)
    func bigEndian<Number: FixedWidthInteger & UnsignedInteger & BitwiseCopyable>(
        _: Number.Type, at offset: Int
    ) -> Number {
        Number(bigEndian: bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: Number.self))
    }

    /// Reads a little-endian number at `offset`. The caller must have checked the length.
    @inline(__always)
    func littleEndian<Number: FixedWidthInteger & UnsignedInteger & BitwiseCopyable>(
        _: Number.Type, at offset: Int
    ) -> Number {
        Number(littleEndian: bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: Number.self))
    }
}
