import BeaconModel

/// A fingerprint of a configuration. A module whose advertising data cannot be read back is given the fingerprint as
/// its local name, which it loses with everything else when it is reset.
///
/// 48 bits of FNV-1a (Fowler, Noll, Vo; 64 bits) distinguish the configurations of a building, but do not protect
/// against deliberate forgery.
public struct ConfigurationFingerprint: Hashable, Sendable, CustomStringConvertible {
    /// The fingerprint as text: `bg` and 12 hexadecimal digits.
    public let description: String

    /// Creates the fingerprint of a configuration.
    public init(_ configuration: BeaconConfiguration) {
        let beacon = configuration.beacon
        let text =
            "\(beacon.uuid)/\(beacon.major)/\(beacon.minor)/\(configuration.measuredPower)"
            + "/\(configuration.interval.units)/\(configuration.transmitPower ?? -1)"
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in text.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
        let digits = String(hash & 0xFFFF_FFFF_FFFF, radix: 16)
        description = "bg" + String(repeating: "0", count: 12 - digits.count) + digits
    }

    /// Returns the local name for a module that advertises with this type.
    package func localName(_ type: AdvertisingType) -> String { description + (type == .connectable ? "c" : "n") }

    /// Finds a fingerprint in a module's answer to the query for its name, whatever the answer's form.
    package init?(in reply: String) {
        let bytes = Array(reply.utf8)
        guard bytes.count >= 14 else { return nil }
        for start in 0...(bytes.count - 14) where bytes[start...].starts(with: "bg".utf8) {
            let digits = bytes[(start + 2)..<(start + 14)]
            if digits.allSatisfy({ Self.isDigit($0) }) {
                description = String(decoding: bytes[start..<(start + 14)], as: UTF8.self)
                return
            }
        }
        return nil
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte)
    }
}
