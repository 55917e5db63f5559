/// A firmware image as delivered by the manufacturer (`.rps`). It is checked before it is sent, because a damaged image
/// can leave the module without firmware.
///
/// An image consists of a header of 64 bytes, little-endian (firmware header of the manufacturer's host library), and
/// the body.
public struct RPSImage: Equatable, Sendable {
    /// Length of the header in bytes.
    public static let headerLength = 64
    /// Maximum size of a file in bytes; images are smaller than 2 MB.
    public static let longest = 4 * 1024 * 1024

    /// The whole file.
    public let bytes: [UInt8]
    /// Flags of the header.
    public let flags: UInt16
    /// Number of bytes after the header.
    public let size: Int
    /// Version of the image, for example `2.12.0.3`.
    public let version: String
    /// Version that running firmware of this image reports: `1610.2.12.0.0.3`.
    ///
    /// The lengths suggest that the number before the last is the lowest byte of the extended version; this is an
    /// inference.
    public let firmwareVersion: String
    /// Address in the flash memory to which the image is written.
    public let flashLocation: UInt32
    /// CRC-32 of the whole file with this field zero.
    public let checksum: UInt32
    /// The chips that accept this image.
    public let family: SiliconFamily
    /// Whether the header has a message integrity code.
    public let isSigned: Bool

    /// Parses and checks an image.
    ///
    /// - Throws: `RPSImageError` for anything but an undamaged image of a known family.
    public init(_ bytes: [UInt8]) throws(RPSImageError) {
        guard bytes.count > Self.headerLength else { throw .tooShort(count: bytes.count) }
        guard bytes.count <= Self.longest else { throw .tooLong(count: bytes.count) }
        for offset in [Offset.magic, Offset.trailingMagic] {
            let found = Self.word(bytes, offset)
            guard found == Self.magic else { throw .wrongMagic(offset: offset, found: found) }
        }
        let size = Self.word(bytes, Offset.size)
        guard Int(size) == bytes.count - Self.headerLength else {
            throw .wrongSize(found: Int(size), expected: bytes.count - Self.headerLength)
        }
        checksum = Self.word(bytes, Offset.checksum)
        let computed = Self.checksum(bytes)
        guard checksum == computed else { throw .wrongChecksum(found: checksum, expected: computed) }
        let number = UInt16(truncatingIfNeeded: Self.word(bytes, Offset.extendedVersion) >> 16)
        guard let family = SiliconFamily(imageNumber: number) else { throw .unknownFamily(found: number) }
        self.bytes = bytes
        self.family = family
        self.size = Int(size)
        flags = UInt16(truncatingIfNeeded: Self.word(bytes, Offset.flags))
        let version = Self.word(bytes, Offset.version)
        var numbers = [24, 16, 8, 0].map { String(version >> $0 & 0xFF) }
        self.version = numbers.joined(separator: ".")
        numbers.insert(String(Self.word(bytes, Offset.extendedVersion) & 0xFF), at: 3)
        firmwareVersion = ([family.versionPrefix] + numbers).joined(separator: ".")
        flashLocation = Self.word(bytes, Offset.flashLocation)
        isSigned = bytes[Offset.integrityCode].contains { $0 != 0 }
    }

    /// Checks that chips of `family` accept the image.
    ///
    /// - Throws: `RPSImageError.otherFamily` if they do not.
    public func require(family: SiliconFamily) throws(RPSImageError) {
        guard family == self.family else { throw .otherFamily(image: self.family, module: family) }
    }

    package static let magic: UInt32 = 0x900D_900D

    /// Offsets of the fields; all are within the header.
    enum Offset {
        static let flags = 0x00
        static let magic = 0x04
        static let size = 0x08
        static let version = 0x0C
        static let flashLocation = 0x10
        static let checksum = 0x14
        static let integrityCode = 0x18..<0x28
        static let extendedVersion = 0x2C
        static let trailingMagic = 0x3C
    }

    private static func word(_ bytes: [UInt8], _ offset: Int) -> UInt32 {
        bytes[offset..<offset + 4].reversed().reduce(0) { $0 << 8 | UInt32($1) }
    }

    private static func checksum(_ bytes: [UInt8]) -> UInt32 {
        var bytes = bytes
        for index in Offset.checksum..<Offset.checksum + 4 { bytes[index] = 0 }
        return RPSChecksum.checksum(bytes)
    }
}
