import Crypto
import Matching
import OperatorText

/// What a subject shows to prove that it is the one: derived from its name and from how often it was made anew, so
/// that nothing else has to be kept of it, and nobody can claim a name that another has.
struct SubjectSecrets: Sendable {
    private let key: SymmetricKey

    /// - Parameter secret: of the store.
    init(secret: String) { key = SymmetricKey(data: Array(secret.utf8)) }

    /// - Parameter version: how often it was made anew.
    func secret(of subject: SubjectIdentity, version: Int64 = 0) -> String {
        Base64URL.encode(code("secret", subject, version))
    }

    /// In time that doesn't depend on where they differ.
    ///
    /// - Parameter version: how often it was made anew; negative when it is revoked.
    func isRight(_ secret: String, for subject: SubjectIdentity, version: Int64) -> Bool {
        Self.isEqual(Array(secret.utf8), Array(self.secret(of: subject, version: version).utf8)) && version >= 0
    }

    /// In time that doesn't depend on where they differ.
    static func isEqual(_ given: [UInt8], _ right: [UInt8]) -> Bool {
        guard given.count == right.count else { return false }
        return zip(right, given).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
    }

    /// Names the subject on topics, where others may see it: 32 hexadecimal digits.
    ///
    /// - Parameter version: of the secret: whoever had the one before knew its topic.
    func topicKey(of subject: SubjectIdentity, version: Int64 = 0) -> String {
        HexadecimalText.of(code("topic", subject, version).prefix(16))
    }

    /// Names the subject in the log: 16 hexadecimal digits, which nobody without the store's secret can join with it.
    func logName(of subject: SubjectIdentity) -> String { HexadecimalText.of(code("log", subject).prefix(8)) }

    /// `phone 0123456789abcdef`.
    func shownInLog(_ subject: SubjectIdentity) -> String { "\(subject.kind) \(logName(of: subject))" }

    /// The first is made as it was before there were others. No name of a subject has a space.
    private func code(_ purpose: String, _ subject: SubjectIdentity, _ version: Int64 = 0) -> HMAC<SHA256>.MAC {
        let text = version == 0 ? "\(purpose) \(subject)" : "\(purpose) \(subject) \(version)"
        return HMAC<SHA256>.authenticationCode(for: Array(text.utf8), using: key)
    }
}

/// Without the key.
extension SubjectSecrets: CustomStringConvertible, CustomDebugStringConvertible {
    var description: String { "secrets of subjects" }
    var debugDescription: String { description }
}
