import Crypto

/// Secret that a browser keeps in a cookie, or a person in a link: 256 random bits in base64url.
///
/// The store keeps only the hash, so a copy of the store opens no session.
package struct SessionToken: Sendable {
    /// 43 characters of base64url.
    package let text: String

    package init() {
        text = Base64URLText.encode(SymmetricKey(size: .bits256).withUnsafeBytes(Array.init))
    }

    /// Returns the token with a text from outside; `nil` if it has another form.
    package init?(_ text: some StringProtocol) {
        guard text.utf8.count == 43, text.utf8.allSatisfy(Base64URLText.isCharacter) else { return nil }
        self.text = String(text)
    }

    /// SHA-256 of the text, in hexadecimal: what the store keeps.
    package var hash: String {
        SHA256.hash(data: Array(text.utf8)).reduce(into: "") { text, byte in
            text += byte < 16 ? "0\(String(byte, radix: 16))" : String(byte, radix: 16)
        }
    }
}

/// Descriptions without the secret.
extension SessionToken: CustomStringConvertible, CustomDebugStringConvertible {
    package var description: String { "session token" }
    package var debugDescription: String { description }
}
