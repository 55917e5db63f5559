/// A 48-bit Bluetooth device address, printed most significant byte first.
public struct BluetoothAddress: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// The address as a number below 2^48.
    public let bits: UInt64

    /// Creates an address from its lower 48 bits. Higher bits are dropped.
    public init(bits: UInt64) { self.bits = bits & 0xFFFF_FFFF_FFFF }

    /// Parses six hexadecimal bytes separated by `:` or `-`. Returns `nil` for anything else.
    public init?(_ text: some StringProtocol) {
        let parts = text.split(omittingEmptySubsequences: false) { $0 == ":" || $0 == "-" }
        guard parts.count == 6 else { return nil }
        var bits: UInt64 = 0
        for part in parts {
            guard part.utf8.count == 2, let byte = UInt8(part, radix: 16), part.first != "+" else { return nil }
            bits = bits << 8 | UInt64(byte)
        }
        self.bits = bits
    }

    public static func < (left: Self, right: Self) -> Bool { left.bits < right.bits }

    /// Text form, for example `C0:11:22:33:44:01`.
    public var description: String {
        (0..<6).map { index in
            let byte = String(bits >> (8 * (5 - UInt64(index))) & 0xFF, radix: 16, uppercase: true)
            return byte.count == 1 ? "0" + byte : byte
        }.joined(separator: ":")
    }
}
