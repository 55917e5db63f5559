/// A checksum that shows whether a row matches what was written. It detects bit rot and torn writes, not attacks.
///
/// It takes eight bytes at a time. Each word is mixed by multiplication and a shift of the folded product (as in wyhash
/// and relatives), so that every input bit changes half of the output bits.
struct OutboxChecksum {
    private var state: UInt64 = 0x9E37_79B9_7F4A_7C15

    mutating func combine(_ word: UInt64) {
        let product = (state ^ word).multipliedFullWidth(by: 0xD6E8_FEB8_6659_FD93)
        state = (product.high ^ product.low) &+ 0xA076_1D64_78BD_642F
    }

    mutating func combine(_ bytes: UnsafeRawBufferPointer) {
        var offset = 0
        while offset + 8 <= bytes.count {
            combine(UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)))
            offset += 8
        }
        var rest: UInt64 = 0
        for (place, byte) in bytes[offset...].enumerated() { rest |= UInt64(byte) << UInt64(8 * place) }
        combine(rest)
        combine(UInt64(bytes.count))
    }

    var value: Int64 { Int64(bitPattern: state ^ state >> 32) }
}
