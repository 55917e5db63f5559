import Crypto

/// Key that replaces values by substitutes which cannot be traced back without it. The key is random and never leaves
/// the process. It uses HMAC-SHA256 (RFC 2104) as a pseudorandom function.
package struct PseudonymKey: Sendable {
    private let key: SymmetricKey

    /// Kind of value. Equal bytes of different domains have unrelated substitutes.
    package enum Domain: UInt8 {
        case publicAddress, randomAddress, beaconUUID, major, minor, rollingIdentifier, metadata, namespace, instance
        case url, name, payload, filler, feistel, service
    }

    /// Creates a random key.
    package init() { key = SymmetricKey(size: .bits256) }

    /// Creates a key that gives the same substitutes each time, for tests.
    package init(secret: [UInt8]) { key = SymmetricKey(data: secret) }

    /// Returns `count` bytes that depend on all of `value`, whatever its length.
    package func bytes(_ count: Int, for value: some Sequence<UInt8>, _ domain: Domain) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(count + SHA256.byteCount)
        let value = Array(value)
        var block: UInt8 = 0
        while bytes.count < count {
            bytes += HMAC<SHA256>.authenticationCode(for: [domain.rawValue, block] + value, using: key)
            // An event has at most 256 bytes: 8 blocks.
            block &+= 1
        }
        return Array(bytes.prefix(count))
    }

    /// Returns a different substitute for each number in the same context. It is a Feistel network (Luby and Rackoff
    /// 1988), because two of so few numbers would often get the same substitute by chance.
    package func permuted(_ number: UInt16, in context: [UInt8], _ domain: Domain) -> UInt16 {
        var left = UInt8(number >> 8)
        var right = UInt8(number & 0xFF)
        for round in UInt8(0)..<10 {
            let mask = bytes(1, for: [domain.rawValue, round, right] + context, .feistel).first ?? 0
            (left, right) = (right, left ^ mask)
        }
        return UInt16(left) << 8 | UInt16(right)
    }
}
