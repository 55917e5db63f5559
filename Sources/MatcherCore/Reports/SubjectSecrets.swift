import Crypto
package import Matching
import OperatorText

/// Secrets by which subjects prove their identity. A secret is derived from the subject's name and the number of its
/// renewals, so that nothing else has to be stored, and nobody can claim the name of another.
package struct SubjectSecrets: Sendable {
    private let key: SymmetricKey

    /// Creates the secrets.
    ///
    /// - Parameter secret: secret of the store.
    package init(secret: String) { key = SymmetricKey(data: Array(secret.utf8)) }

    /// Returns the secret of a subject.
    ///
    /// - Parameter version: number of its renewals.
    package func secret(of subject: SubjectIdentity, version: Int64 = 0) -> String {
        Base64URL.encode(code("secret", subject, version))
    }

    /// Returns whether a secret is right, in time that does not depend on where it differs.
    ///
    /// - Parameter version: number of its renewals; negative if the secret is revoked.
    package func isRight(_ secret: String, for subject: SubjectIdentity, version: Int64) -> Bool {
        Self.isEqual(Array(secret.utf8), Array(self.secret(of: subject, version: version).utf8)) && version >= 0
    }

    /// Returns whether bytes are equal, in time that does not depend on where they differ.
    package static func isEqual(_ given: [UInt8], _ right: [UInt8]) -> Bool {
        guard given.count == right.count else { return false }
        return zip(right, given).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
    }

    /// Returns the subject's key on topics, where others may see it: 32 hexadecimal digits.
    ///
    /// - Parameter version: version of the secret: a client with the previous secret knew its topic.
    package func topicKey(of subject: SubjectIdentity, version: Int64 = 0) -> String {
        HexadecimalText.of(code("topic", subject, version).prefix(16))
    }

    /// Returns the subject's key among live positions: 16 hexadecimal digits that are others each day, so that who sees
    /// them cannot follow anybody over days.
    ///
    /// - Parameter day: days since 1970.
    package func dayKey(of subject: SubjectIdentity, day: Int64) -> String {
        HexadecimalText.of(code("live \(day)", subject).prefix(8))
    }

    /// Returns the subject's key on topics of its place: 32 hexadecimal digits. It is another than that of its notices.
    ///
    /// - Parameter version: version of the secret.
    package func locationKey(of subject: SubjectIdentity, version: Int64 = 0) -> String {
        HexadecimalText.of(code("location", subject, version).prefix(16))
    }

    /// Returns the subject's name in the log: 16 hexadecimal digits, which cannot be linked to the subject without the
    /// store's secret.
    func logName(of subject: SubjectIdentity) -> String { HexadecimalText.of(code("log", subject).prefix(8)) }

    /// Returns kind and name of a subject in the log: `phone 0123456789abcdef`.
    package func shownInLog(_ subject: SubjectIdentity) -> String { "\(subject.kind) \(logName(of: subject))" }

    /// Returns the code of a subject for a purpose. Version 0 has the form from before there were versions. No name of
    /// a subject has a space.
    private func code(_ purpose: String, _ subject: SubjectIdentity, _ version: Int64 = 0) -> HMAC<SHA256>.MAC {
        let text = version == 0 ? "\(purpose) \(subject)" : "\(purpose) \(subject) \(version)"
        return HMAC<SHA256>.authenticationCode(for: Array(text.utf8), using: key)
    }
}

/// Descriptions without the key.
extension SubjectSecrets: CustomStringConvertible, CustomDebugStringConvertible {
    package var description: String { "secrets of subjects" }
    package var debugDescription: String { description }
}
