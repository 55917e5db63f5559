/// The two generations of the module's chip. Each accepts only its own firmware images.
public enum SiliconFamily: String, CaseIterable, Sendable {
    /// RS9116W (firmware 1610) and RS916W (firmware 1611).
    case rs9116w, rs916w

    /// Derives the family of a running module from its firmware version: `1610.2.5.2.0.4`. `nil` when the family is
    /// unknown.
    public init?(firmwareVersion: String) {
        guard let family = Self.allCases.first(where: { firmwareVersion.hasPrefix($0.versionPrefix) }) else {
            return nil
        }
        self = family
    }

    /// Derives the family of an image from the number that its header has in place of `versionPrefix`.
    package init?(imageNumber: UInt16) {
        guard let family = Self.allCases.first(where: { $0.imageNumber == imageNumber }) else { return nil }
        self = family
    }

    /// The name used in the file names of the manufacturer's images.
    public var name: String {
        switch self {
        case .rs9116w: "RS9116W"
        case .rs916w: "RS916W"
        }
    }

    /// Revision of the chip.
    public var silicon: String {
        switch self {
        case .rs9116w: "1.3/1.4"
        case .rs916w: "1.5"
        }
    }

    /// The prefix of this family's firmware versions.
    public var versionPrefix: String {
        switch self {
        case .rs9116w: "1610"
        case .rs916w: "1611"
        }
    }

    /// The number in an image's header; its hexadecimal digits are `versionPrefix`.
    private var imageNumber: UInt16 {
        switch self {
        case .rs9116w: 0x1610
        case .rs916w: 0x1611
        }
    }
}
