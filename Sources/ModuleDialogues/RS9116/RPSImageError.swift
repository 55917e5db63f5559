public import BeaconModel

/// The reason why a file is not a usable firmware image.
public enum RPSImageError: OperatorError, Equatable {
    /// The file is shorter than a header.
    case tooShort(count: Int)
    /// The file is longer than the flash memory.
    case tooLong(count: Int)
    /// A magic number is wrong.
    case wrongMagic(offset: Int, found: UInt32)
    /// The number of bytes after the header differs from the number that the header states.
    case wrongSize(found: Int, expected: Int)
    /// The checksum in the header differs from the one computed from the bytes.
    case wrongChecksum(found: UInt32, expected: UInt32)
    /// The header names a chip family that is not known.
    case unknownFamily(found: UInt16)
    /// The image is for another chip family than the module's.
    case otherFamily(image: SiliconFamily, module: SiliconFamily)

    public var what: String {
        switch self {
        case .tooShort(let count):
            "the image has \(count) bytes; expected more than the \(RPSImage.headerLength) of its header"
        case .tooLong(let count): "the image has \(count) bytes; expected at most \(RPSImage.longest)"
        case .wrongMagic(let offset, let found):
            "the image has \(Hexadecimal.text(found)) at byte \(Hexadecimal.text(UInt8(clamping: offset))); expected "
                + "\(Hexadecimal.text(RPSImage.magic)), the mark of every image"
        case .wrongSize(let found, let expected):
            "the image's header has the length \(found) at byte 0x08; the file has \(expected) bytes after the header"
        case .wrongChecksum(let found, let expected):
            "the image has the CRC \(Hexadecimal.text(found)) at byte 0x14; expected \(Hexadecimal.text(expected)) "
                + "from its contents"
        case .unknownFamily(let found):
            "the image has the chip family \(Hexadecimal.text(found)) at byte 0x2E; expected 0x1610 or 0x1611"
        case .otherFamily(let image, let module):
            "the image is for \(image.name) (silicon \(image.silicon)); "
                + "the module is an \(module.name) (silicon \(module.silicon))"
        }
    }

    public var meaning: String? {
        switch self {
        case .tooShort, .tooLong, .wrongMagic: "this is not an RPS firmware image"
        case .wrongSize(let found, let expected):
            found > expected ? "the file is truncated" : "the file has trailing data"
        case .wrongChecksum: "the file is corrupted, and a module that receives it may lose its firmware"
        case .unknownFamily: "the image is for another product"
        case .otherFamily: "the module would reject the image, or not start with it"
        }
    }

    public var remedy: String? {
        switch self {
        case .tooShort, .tooLong, .wrongMagic, .unknownFamily:
            "use an RS9116W.*.rps or RS916W.*.rps from the manufacturer's firmware package"
        case .wrongSize, .wrongChecksum: "download the firmware package again and copy the file in binary mode"
        case .otherFamily(_, let module): "use the \(module.name).*.rps of the same firmware package"
        }
    }

    /// Exit status of a command that fails with this error.
    public var exitStatus: ExitStatus { .data }
}
