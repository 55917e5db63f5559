/// A firmware image file, made without the code that reads them.
package struct RPSFile: Sendable {
    /// The whole file, with a right CRC.
    package var bytes: [UInt8]

    package init(
        body: [UInt8], flags: UInt16 = 0x8000, version: UInt32 = 0x020C_0003, location: UInt32 = 0x0001_1000,
        extendedVersion: UInt32 = 0x1610_0000, integrityCode: UInt8 = 0
    ) {
        bytes = Self.littleEndian(UInt32(flags)) + Self.littleEndian(0x900D_900D)
        bytes += Self.littleEndian(UInt32(truncatingIfNeeded: body.count)) + Self.littleEndian(version)
        bytes += Self.littleEndian(location) + [0, 0, 0, 0]
        bytes += Array(repeating: integrityCode, count: 16) + [0, 0, 0, 0] + Self.littleEndian(extendedVersion)
        bytes += Array(repeating: 0, count: 12) + Self.littleEndian(0x900D_900D)
        bytes += body
        seal()
    }

    /// Writes the CRC that the other bytes give.
    package mutating func seal() {
        bytes.replaceSubrange(0x14..<0x18, with: [0, 0, 0, 0])
        bytes.replaceSubrange(0x14..<0x18, with: Self.littleEndian(Self.checksum(bytes)))
    }

    /// Bit by bit, most significant first, with the polynomial as it is written.
    package static func checksum(_ bytes: [UInt8]) -> UInt32 {
        var register: UInt32 = 0
        for byte in bytes {
            for bit in 0..<8 {
                let carry = register >> 31 != UInt32(byte >> bit & 1)
                register = register << 1 ^ (carry ? 0xD95E_AAE5 : 0)
            }
        }
        return (0..<32).reduce(0) { $0 | (register >> $1 & 1) << (31 - $1) }
    }

    private static func littleEndian(_ word: UInt32) -> [UInt8] {
        (0..<4).map { UInt8(truncatingIfNeeded: word >> (8 * $0)) }
    }
}
