package import Crypto

/// Private key for signatures that follows from a secret. Pure.
package enum DerivedSigningKey {
    /// Returns the key for a purpose. One hash in 2^32 is no valid scalar; then the next one is used.
    ///
    /// - Parameters:
    ///   - purpose: the use of the key, so that each has another.
    ///   - secret: a secret of the store.
    /// - Returns: `nil` if no key follows, which is practically impossible.
    package static func p256(_ purpose: String, secret: String) -> P256.Signing.PrivateKey? {
        for attempt in 0..<8 {
            let hash = SHA256.hash(data: Array("\(purpose)/\(attempt)/\(secret)".utf8))
            if let key = try? P256.Signing.PrivateKey(rawRepresentation: Array(hash)) { return key }
        }
        return nil
    }
}
