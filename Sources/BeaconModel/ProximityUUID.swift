/// The 128-bit UUID that identifies the operator of an iBeacon; written in lower case, as in MQTT topics.
public struct ProximityUUID: Hashable, Comparable, Sendable, CustomStringConvertible {
    private let words: Words128

    /// Creates a UUID from its 128 bits.
    public init(bits: UInt128) { words = Words128(bits) }

    /// The 16 bytes as one big-endian number, in the order in which the UUID is printed and transmitted.
    public var bits: UInt128 { words.bits }

    /// Parses `8-4-4-4-12` hexadecimal digits in either case, or the same 32 digits without hyphens.
    ///
    /// Returns `nil` for anything else.
    public init?(_ text: some StringProtocol) {
        var bits: UInt128 = 0
        var digits = 0
        var position = 0
        for character in text.utf8 {
            if character == UInt8(ascii: "-") {
                guard text.utf8.count == 36, [8, 13, 18, 23].contains(position) else { return nil }
            } else {
                guard let digit = hexadecimalDigit(character), digits < 32 else { return nil }
                bits = bits << 4 | UInt128(digit)
                digits += 1
            }
            position += 1
        }
        guard digits == 32, text.utf8.count == 32 || text.utf8.count == 36 else { return nil }
        self.init(bits: bits)
    }

    public static func < (left: ProximityUUID, right: ProximityUUID) -> Bool { left.bits < right.bits }

    /// The 16 bytes, most significant first.
    public var bytes: [UInt8] { (0..<16).map { UInt8(truncatingIfNeeded: bits >> (8 * (15 - UInt128($0)))) } }

    public var description: String {
        let hex = hexadecimal(bits)
        let cuts = [0, 8, 12, 16, 20, 32]
        return zip(cuts, cuts.dropFirst()).map { String(hex.dropFirst($0).prefix($1 - $0)) }.joined(separator: "-")
    }
}

private func hexadecimalDigit(_ character: UInt8) -> UInt8? {
    switch character {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): character - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): character - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): character - UInt8(ascii: "A") + 10
    default: nil
    }
}

/// Returns 32 lower-case hexadecimal digits.
func hexadecimal(_ bits: UInt128) -> String {
    let digits = String(bits, radix: 16)
    return String(repeating: "0", count: 32 - digits.count) + digits
}
