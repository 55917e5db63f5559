/// Stands in for swift-crypto: the names that the pseudonyms need, and a quick mixing function that keeps no secret. So
/// this package depends on nothing, and the time goes into what is fuzzed.
public enum HMAC<Hash> {
    public static func authenticationCode(for data: [UInt8], using key: SymmetricKey) -> [UInt8] {
        var state = key.state
        for byte in data { state = mix(state ^ UInt64(byte)) }
        return (0..<SHA256.byteCount).map { index in
            if index % 8 == 0 { state = mix(state) }
            return UInt8(truncatingIfNeeded: state >> UInt64(index % 8 * 8))
        }
    }

    /// SplitMix64.
    private static func mix(_ number: UInt64) -> UInt64 {
        var mixed = number &+ 0x9E37_79B9_7F4A_7C15
        mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
        return mixed ^ mixed >> 31
    }
}

public enum SHA256 {
    public static let byteCount = 32
}

public struct SymmetricKeySize: Sendable {
    public static let bits256 = SymmetricKeySize()
}

public struct SymmetricKey: Sendable {
    let state: UInt64

    public init(size: SymmetricKeySize) { state = 0 }
    public init(data: [UInt8]) { state = data.reduce(0) { $0 &* 31 &+ UInt64($1) } }
}
