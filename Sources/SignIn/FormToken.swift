import Crypto

/// Token in each form that proves that the form comes from this page, to this session (synchronizer token).
package enum FormToken {
    /// Returns the token of a session.
    ///
    /// - Parameters:
    ///   - session: hash of the session.
    ///   - key: secret of the store.
    package static func of(session: String, key: [UInt8]) -> String {
        let code = HMAC<SHA256>.authenticationCode(for: Array("form \(session)".utf8), using: SymmetricKey(data: key))
        return Base64URLText.encode(Array(code))
    }

    /// Whether a form has the token of a session. The time does not depend on where they differ.
    package static func isRight(_ token: String, session: String, key: [UInt8]) -> Bool {
        let (given, right) = (Array(token.utf8), Array(of(session: session, key: key).utf8))
        guard given.count == right.count else { return false }
        return zip(given, right).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
    }
}
