/// The 16 bytes that identify a phone with Exposure Notification for about 15 minutes (Google and Apple, "Exposure
/// Notification Bluetooth Specification" 1.2, section "Advertising Payload").
public struct RollingProximityIdentifier: Hashable, Comparable, Sendable, CustomStringConvertible {
    private let words: Words128

    /// Creates an identifier from its 128 bits.
    public init(bits: UInt128) { words = Words128(bits) }

    /// The bytes as one big-endian number, in the order of transmission.
    public var bits: UInt128 { words.bits }

    public static func < (left: Self, right: Self) -> Bool { left.bits < right.bits }

    /// Text form: 32 lower-case hexadecimal digits.
    public var description: String { hexadecimal(bits) }
}
