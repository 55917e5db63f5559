/// The header of a firmware file for RS9116 (8).
struct EmulatedImage: Equatable, Sendable {
    static let headerSize = 64
    private static let magic: UInt32 = 0x900D_900D
    private static let crcOffset = 0x14

    let family: EmulatedFamily
    /// Version as reported by `at+rsi_fwversion?`.
    let version: String
    /// Whether the CRC matches the bytes.
    let isIntact: Bool

    /// Parses a firmware file. Returns `nil` for anything else, or for a truncated file.
    init?(_ file: [UInt8]) {
        guard file.count > Self.headerSize, Self.word(file, at: 0x04) == Self.magic,
            Self.word(file, at: 0x3C) == Self.magic,
            Int(Self.word(file, at: 0x08)) == file.count - Self.headerSize
        else { return nil }
        switch (file[0x2E], file[0x2F]) {
        case (0x10, 0x16): family = .rs9116w
        case (0x11, 0x16): family = .rs916w
        // Without an extended version, bit 15 of the control flags identifies the family.
        case (0, 0): family = file[0x01] & 0x80 != 0 ? .rs9116w : .rs916w
        default: return nil
        }
        let prefix = family == .rs9116w ? "1610" : "1611"
        // 2.12.0.3 with the lowest byte of the extended version before the last number: 1610.2.12.0.0.3.
        let numbers = [file[0x0F], file[0x0E], file[0x0D], file[0x2C], file[0x0C]]
        version = ([prefix] + numbers.map { String($0) }).joined(separator: ".")
        isIntact = Self.word(file, at: Self.crcOffset) == Self.crc(of: file)
    }

    /// Returns the CRC-32 of a complete file with its CRC field zeroed.
    static func crc(of file: [UInt8]) -> UInt32 {
        let field = crcOffset..<crcOffset + 4
        var crc: UInt32 = 0
        for (offset, byte) in file.enumerated() {
            let value = field.contains(offset) ? 0 : byte
            crc = crc >> 8 ^ table[Int(UInt8(truncatingIfNeeded: crc) ^ value)]
        }
        return crc
    }

    /// CRC table for the reflected polynomial of section 8.
    private static let table: [UInt32] = (0..<256).map { index in
        (0..<8).reduce(index as UInt32) { value, _ in value & 1 == 0 ? value >> 1 : value >> 1 ^ 0xA755_7A9B }
    }

    private static func word(_ file: [UInt8], at offset: Int) -> UInt32 {
        file[offset..<offset + 4].reversed().reduce(0) { $0 << 8 | UInt32($1) }
    }
}
