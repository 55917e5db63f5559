import Crypto
import Matching
import OperatorText

/// What a subject shows to prove that it is the one: derived from its name, so that nothing has to be kept of it, and
/// nobody can claim a name that another has.
struct SubjectSecrets: Sendable {
    private let key: SymmetricKey

    /// - Parameter secret: of the store.
    init(secret: String) { key = SymmetricKey(data: Array(secret.utf8)) }

    func secret(of subject: SubjectIdentity) -> String {
        Base64URL.encode(code("secret", subject))
    }

    /// In time that doesn't depend on where they differ.
    func isRight(_ secret: String, for subject: SubjectIdentity) -> Bool {
        Self.isEqual(Array(secret.utf8), Array(self.secret(of: subject).utf8))
    }

    /// In time that doesn't depend on where they differ.
    static func isEqual(_ given: [UInt8], _ right: [UInt8]) -> Bool {
        guard given.count == right.count else { return false }
        return zip(right, given).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
    }

    /// Names the subject on topics, where others may see it: 32 hexadecimal digits.
    func topicKey(of subject: SubjectIdentity) -> String {
        HexadecimalText.of(code("topic", subject).prefix(16))
    }

    private func code(_ purpose: String, _ subject: SubjectIdentity) -> HMAC<SHA256>.MAC {
        HMAC<SHA256>.authenticationCode(for: Array("\(purpose) \(subject)".utf8), using: key)
    }
}

/// Without the key.
extension SubjectSecrets: CustomStringConvertible, CustomDebugStringConvertible {
    var description: String { "secrets of subjects" }
    var debugDescription: String { description }
}
