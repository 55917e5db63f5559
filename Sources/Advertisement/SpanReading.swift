extension Span<UInt8> {
    /// A big-endian number at `offset`; the caller has checked that it is there.
    @inline(__always)
    func bigEndian<Number: FixedWidthInteger & UnsignedInteger & BitwiseCopyable>(
        _: Number.Type, at offset: Int
    ) -> Number {
        Number(bigEndian: bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: Number.self))
    }

    /// A little-endian number at `offset`; the caller has checked that it is there.
    @inline(__always)
    func littleEndian<Number: FixedWidthInteger & UnsignedInteger & BitwiseCopyable>(
        _: Number.Type, at offset: Int
    ) -> Number {
        Number(littleEndian: bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: Number.self))
    }
}
