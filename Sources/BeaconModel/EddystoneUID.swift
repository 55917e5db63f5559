/// An Eddystone-UID: a namespace of 10 bytes and an instance of 6 (Google, "Eddystone-UID", "Frame Specification").
public struct EddystoneUID: Hashable, Sendable, CustomStringConvertible {
    private let words: Words128

    /// Creates an identifier from its 128 bits.
    public init(bits: UInt128) { words = Words128(bits) }

    /// The 16 bytes as one big-endian number, in the order of transmission.
    public var bits: UInt128 { words.bits }

    /// Namespace as 20 lower-case hexadecimal digits.
    public var namespace: String { String(hexadecimal(bits).prefix(20)) }
    /// Instance as 12 lower-case hexadecimal digits.
    public var instance: String { String(hexadecimal(bits).suffix(12)) }

    /// Text form `namespace/instance`.
    public var description: String { "\(namespace)/\(instance)" }
}
