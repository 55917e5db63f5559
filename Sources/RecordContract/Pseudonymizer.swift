import Crypto

/// Pseudonyms for unlisted devices, which only holders of the site's secret can relate to known identities: HMAC-SHA256
/// under a key derived for each site and day.
package struct Pseudonymizer: Sendable {
    private let secret: SymmetricKey

    /// Minimum length of the secret in bytes.
    package static let shortestSecret = 16

    /// Creates a pseudonymizer.
    ///
    /// - Parameter secret: at least `shortestSecret` random bytes, the same for all gateways of a site.
    package init(secret: [UInt8]) { self.secret = SymmetricKey(data: secret) }

    /// Returns a pseudonym of 32 hexadecimal digits, the first half of the HMAC.
    ///
    /// - Parameter day: UTC calendar day, `YYYY-MM-DD`; another day gives unrelated pseudonyms.
    package func pseudonym(for identity: String, site: String, day: String) -> String {
        key(site: site, day: day).pseudonym(for: identity)
    }

    /// Returns the key of a day, for many pseudonyms.
    ///
    /// - Parameter day: UTC calendar day, `YYYY-MM-DD`.
    package func key(site: String, day: String) -> DayKey {
        DayKey(
            key: SymmetricKey(
                data: HMAC<SHA256>.authenticationCode(for: Array("\(site)/\(day)".utf8), using: secret)))
    }

    /// The key for the pseudonyms of one site and day.
    package struct DayKey: Sendable {
        fileprivate let key: SymmetricKey

        /// Returns a pseudonym of 32 hexadecimal digits, the first half of the HMAC.
        package func pseudonym(for identity: String) -> String {
            let code = HMAC<SHA256>.authenticationCode(for: Array(identity.utf8), using: key)
            return code.prefix(16).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        }
    }
}

/// A description without the secret.
extension Pseudonymizer: CustomStringConvertible, CustomDebugStringConvertible {
    package var description: String { "pseudonymizer" }
    package var debugDescription: String { description }
}
