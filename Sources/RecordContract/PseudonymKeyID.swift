import Crypto

/// Identifiers that distinguish pseudonym keys without revealing anything about them.
extension Pseudonymizer {
    /// Returns the first 8 hexadecimal digits of SHA-256("beacon-pseudonym-key/1" + key).
    package static func keyID(of secret: [UInt8]) -> String {
        SHA256.hash(data: Array("beacon-pseudonym-key/1".utf8) + secret).prefix(4)
            .map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}
