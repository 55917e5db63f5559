package import Crypto

/// A key by which one gateway and those who talk with it know each other's messages. Symmetric: who can check can also sign.
package struct SigningKey: Equatable, Sendable {
    /// In bytes.
    package static let length = 32
    /// Of the file that holds one.
    package static let form = "64 hexadecimal digits in one line"

    package let key: SymmetricKey

    fileprivate init(_ code: HMAC<SHA256>.MAC) { key = SymmetricKey(data: code) }

    /// - Parameter contents: of a file: 64 hexadecimal digits, and a line end.
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

    /// 64 digits, as a file holds them.
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

/// A site's secret, of which each gateway's keys are made: whoever has it needs no list of keys, and a stolen gateway has only
/// its own.
package struct SiteKey: Equatable, Sendable {
    private let secret: SymmetricKey

    /// - Parameter secret: at least `Pseudonymizer.shortestSecret` random bytes, else `nil`.
    package init?(secret: [UInt8]) {
        guard secret.count >= Pseudonymizer.shortestSecret else { return nil }
        self.secret = SymmetricKey(data: secret)
    }

    /// By which a gateway signs what it publishes.
    ///
    /// - Parameter path: `site/building/floor/gateway`.
    package func gatewayKey(_ path: String) -> SigningKey { derived("beacon-gateway/1/" + path) }

    /// By which an operator signs commands for a gateway.
    ///
    /// - Parameter path: `site/building/floor/gateway`.
    package func commandKey(_ path: String) -> SigningKey { derived("beacon-command/1/" + path) }

    private func derived(_ text: String) -> SigningKey {
        SigningKey(HMAC<SHA256>.authenticationCode(for: Array(text.utf8), using: secret))
    }
}

/// Without the key.
extension SigningKey: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    package var description: String { "signing key" }
    package var debugDescription: String { description }
    package var customMirror: Mirror { Mirror(self, children: []) }
}

/// Without the secret.
extension SiteKey: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    package var description: String { "site key" }
    package var debugDescription: String { description }
    package var customMirror: Mirror { Mirror(self, children: []) }
}
