package import Crypto

/// A key with which one gateway and its peers authenticate each other's messages. It is symmetric: a holder can verify
/// and sign.
package struct SigningKey: Equatable, Sendable {
    /// Length of a key in bytes.
    package static let length = 32
    /// Format of a key file, as text for people.
    package static let form = "64 hexadecimal digits on one line"

    package let key: SymmetricKey

    fileprivate init(_ code: HMAC<SHA256>.MAC) { key = SymmetricKey(data: code) }

    /// Reads the contents of a key file.
    ///
    /// - Parameter contents: 64 hexadecimal digits and a line end; anything else gives `nil`.
    package init?(file contents: [UInt8]) {
        let digits = contents.prefix { !Self.isLineEnd($0) }
        guard digits.count == 2 * Self.length, contents[digits.endIndex...].allSatisfy(Self.isLineEnd) else {
            return nil
        }
        var bytes: [UInt8] = []
        var high: UInt8?
        for digit in digits {
            guard let value = Self.value(of: digit) else { return nil }
            if let first = high {
                bytes.append(first << 4 | value)
                high = nil
            } else {
                high = value
            }
        }
        key = SymmetricKey(data: bytes)
    }

    /// The key as 64 hexadecimal digits, as in a file.
    package var hexadecimal: String {
        key.withUnsafeBytes { bytes in
            bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        }
    }

    private static func isLineEnd(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r")
    }

    private static func value(of digit: UInt8) -> UInt8? {
        switch digit {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}

/// A site's secret, from which the keys of each gateway are derived. Its holder needs no list of keys, and a stolen
/// gateway contains only its own.
package struct SiteKey: Equatable, Sendable {
    private let secret: SymmetricKey

    /// Creates a site key.
    ///
    /// - Parameter secret: at least `Pseudonymizer.shortestSecret` random bytes; with fewer, the result is `nil`.
    package init?(secret: [UInt8]) {
        guard secret.count >= Pseudonymizer.shortestSecret else { return nil }
        self.secret = SymmetricKey(data: secret)
    }

    /// Returns the key with which a gateway signs what it publishes.
    ///
    /// - Parameter path: `site/building/floor/gateway`.
    package func gatewayKey(_ path: String) -> SigningKey { derived("beacon-gateway/1/" + path) }

    /// Returns the key with which an operator signs commands for a gateway.
    ///
    /// - Parameter path: `site/building/floor/gateway`.
    package func commandKey(_ path: String) -> SigningKey { derived("beacon-command/1/" + path) }

    private func derived(_ text: String) -> SigningKey {
        SigningKey(HMAC<SHA256>.authenticationCode(for: Array(text.utf8), using: secret))
    }
}

/// A description without the key.
extension SigningKey: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    package var description: String { "signing key" }
    package var debugDescription: String { description }
    package var customMirror: Mirror { Mirror(self, children: []) }
}

/// A description without the secret.
extension SiteKey: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    package var description: String { "site key" }
    package var debugDescription: String { description }
    package var customMirror: Mirror { Mirror(self, children: []) }
}
