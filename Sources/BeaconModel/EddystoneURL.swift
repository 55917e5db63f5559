/// A link in the compressed form of Eddystone-URL (Google, "Eddystone-URL", "Frame Specification"). It is stored as
/// received and expanded on demand.
public struct EddystoneURL: Hashable, Sendable, CustomStringConvertible {
    // The largest property comes first, which keeps identities small.
    /// The first 16 bytes, big-endian and padded with zeros.
    private let head: Words128
    /// The last of 17 bytes.
    private let tail: UInt8
    private let scheme: UInt8
    private let length: UInt8
    /// Power received at 0 m, in dBm.
    public let txPower: Int8

    /// Maximum length of the encoded part in bytes.
    public static let longest = 17

    /// Creates a URL from the parts of a frame.
    ///
    /// - Parameters:
    ///   - txPower: the transmit power in dBm at 0 m.
    ///   - scheme: the scheme code, 0 to 3.
    ///   - encoded: at most `longest` bytes.
    /// - Returns: `nil` for a scheme or byte that the format does not define.
    public init?(txPower: Int8, scheme: UInt8, encoded: Span<UInt8>) {
        guard scheme <= 3, encoded.count <= Self.longest else { return nil }
        var head: UInt128 = 0
        var tail: UInt8 = 0
        for index in 0..<encoded.count {
            let byte = encoded[index]
            guard byte <= 0x0D || (0x21...0x7E).contains(byte) else { return nil }
            if index < 16 { head |= UInt128(byte) << (8 * UInt128(15 - index)) } else { tail = byte }
        }
        self.txPower = txPower
        self.scheme = scheme
        self.head = Words128(head)
        self.tail = tail
        length = UInt8(encoded.count)
    }

    /// The complete link, at most 114 characters.
    public var description: String {
        var text = Self.schemes[Int(scheme)]
        for index in 0..<Int(length) {
            let byte = index < 16 ? UInt8(truncatingIfNeeded: head.bits >> (8 * UInt128(15 - index))) : tail
            if Self.expansions.indices.contains(Int(byte)) {
                text += Self.expansions[Int(byte)]
            } else {
                text.unicodeScalars.append(Unicode.Scalar(byte))
            }
        }
        return text
    }

    private static let schemes = ["http://www.", "https://www.", "http://", "https://"]
    private static let expansions = [
        ".com/", ".org/", ".edu/", ".net/", ".info/", ".biz/", ".gov/",
        ".com", ".org", ".edu", ".net", ".info", ".biz", ".gov",
    ]
}
