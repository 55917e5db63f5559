import BeaconModel

/// A service UUID as encoded in advertising data: least significant byte first, in its shortest form.
package struct ServiceUUID: Equatable, Sendable {
    /// Encoded bytes: 2, 4 or 16.
    package let bytes: [UInt8]

    /// Bluetooth base UUID, 00000000-0000-1000-8000-00805F9B34FB (Bluetooth Core Specification 5.4, Vol 3, Part B,
    /// 2.5.1).
    private static let base: UInt128 = 0x0000_0000_0000_1000_8000_0080_5F9B_34FB

    /// Parses `8-4-4-4-12` hexadecimal digits. Returns `nil` for anything else.
    package init?(_ text: String) {
        guard text.utf8.count == 36, let bits = ProximityUUID(text)?.bits else { return nil }
        let short = UInt32(truncatingIfNeeded: bits >> 96)
        let isShort = bits << 32 == Self.base << 32
        let count = isShort ? (short <= 0xFFFF ? 2 : 4) : 16
        let value = isShort ? UInt128(short) : bits
        bytes = (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * UInt128($0))) }
    }
}
