/// A 128-bit identifier of a service or characteristic (Bluetooth Core Specification 5.4, Vol 3, Part B, 2.5.1).
public struct AttributeUUID: Hashable, Sendable {
    /// The first eight bytes of the written form.
    public let upper: UInt64
    /// The last eight bytes of the written form.
    public let lower: UInt64

    /// Creates an identifier from its upper and lower 64 bits.
    public init(upper: UInt64, lower: UInt64) {
        self.upper = upper
        self.lower = lower
    }

    /// Creates a UUID from sixteen bytes in transmission order, which reverses the written form. Returns `nil` for any
    /// other length.
    init?(transmitted bytes: some Collection<UInt8>) {
        guard bytes.count == 16 else { return nil }
        lower = UInt64(transmitted: bytes.prefix(8))
        upper = UInt64(transmitted: bytes.dropFirst(8))
    }

    /// Bytes in transmission order.
    var transmitted: [UInt8] { lower.transmitted + upper.transmitted }
}

extension FixedWidthInteger {
    /// Bytes in transmission order, least significant first, as ATT encodes numbers (Bluetooth Core Specification 5.4,
    /// Vol 3, Part F, 3.3.1).
    var transmitted: [UInt8] {
        (0..<Self.bitWidth / 8).map { UInt8(truncatingIfNeeded: self >> ($0 * 8)) }
    }
}

extension UInt64 {
    /// Creates a number from bytes in transmission order. Only the first eight are significant.
    package init(transmitted bytes: some Collection<UInt8>) {
        self = bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }
}
