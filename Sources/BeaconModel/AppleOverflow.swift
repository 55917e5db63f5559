/// Apple's "overflow area": the services of the apps that advertise in the background of an iPhone, 1 bit each.
///
/// Each bit stands for 1 in 128 of all services. A set bit means that an app may be present; a cleared bit means that
/// it is not. A bit is therefore never used to track a subject.
public struct AppleOverflow: Hashable, Sendable, CustomStringConvertible {
    private let words: Words128

    /// Creates a value from its 128 bits.
    public init(bits: UInt128) { words = Words128(bits) }

    /// The 16 bytes as one big-endian number, in the order of transmission.
    public var bits: UInt128 { words.bits }

    /// Whether a service of the app may be present.
    public func mayHave(_ app: ContactApp) -> Bool { app.services.contains(where: mayHave) }

    /// Whether `service`, its 16 bytes as one big-endian number, may be present.
    public func mayHave(_ service: UInt128) -> Bool { bits >> UInt128(127 - Self.bit(of: service)) & 1 == 1 }

    /// Returns the bit that a service sets, 0 to 127, where 0 is the highest bit of the first byte.
    ///
    /// Apple has not published the algorithm. Assumed are the low 7 bits of a CRC-8 with the polynomial x^8 + x^3 + 1
    /// over the 16 bytes, most significant bit first, with its lowest 3 bits inverted. This agrees with the 128 UUIDs
    /// of D. G. Young's table (`OverflowAreaUtils.swift`, 2020), which vary 7 bits of the UUID, and with captures for
    /// seven others: see `AppleOverflowTests`.
    ///
    /// - Parameter service: the 16 bytes as one big-endian number; for a 16-bit UUID, the full UUID that it
    ///   abbreviates.
    public static func bit(of service: UInt128) -> Int {
        var remainder: UInt8 = 0
        for index in 0..<16 {
            remainder ^= UInt8(truncatingIfNeeded: service >> (8 * UInt128(15 - index)))
            for _ in 0..<8 { remainder = remainder & 0x80 != 0 ? remainder << 1 ^ 0x09 : remainder << 1 }
        }
        return Int(remainder & 0x7F ^ 0x07)
    }

    /// Text form: 32 lower-case hexadecimal digits.
    public var description: String { hexadecimal(bits) }
}

extension ContactApp {
    /// Services that the app advertises in the foreground, each 16 bytes as one big-endian number.
    fileprivate var services: [UInt128] {
        switch self {
        case .bleProximity: [0x8E99_298E_65D6_4AF7_9074_731C_66E0_1AF9]
        case .further: [0x0000_FD6F_0000_1000_8000_0080_5F9B_34FB]
        case .c19x: [0xFFFF_FFFF_EEEE_DDDD_0000_0000_0000_0000]
        case .herald: [0x4281_32AF_4746_42D3_801E_4572_D65B_FD9B, 0x0000_FCF6_0000_1000_8000_0080_5F9B_34FB]
        }
    }
}
