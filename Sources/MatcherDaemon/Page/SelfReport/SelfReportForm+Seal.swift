import Crypto
import MatcherCore

/// The form in a cookie: encrypted and authenticated with a key of the store, so that neither the code nor a name can
/// be read from it, nobody can make one, and all matchers of a store can open it.
extension SelfReportForm {
    /// Number of seconds for which what was typed is kept.
    static let lifetime: Int64 = 3600
    /// Maximum length of the text of a problem, in bytes: browsers keep cookies of at most 4096 bytes.
    private static let longestProblem = 300
    private static let fieldCount = 15

    /// Returns the form for a cookie.
    ///
    /// - Parameters:
    ///   - key: secret of the store for forms.
    ///   - now: seconds since 1970.
    /// - Returns: `nil` if it cannot be encrypted.
    func sealed(key: [UInt8], now: Int64) -> String? {
        let fields = [
            "\(now)", proof?.rawValue ?? "", code, reference ?? "", version, isSent ? "sent" : "", test, onset, order,
            name, number, contact, problem?.step.rawValue ?? "", problem.map { "\($0.status)" } ?? "",
            String(decoding: (problem?.text ?? "").utf8.prefix(Self.longestProblem), as: UTF8.self),
        ]
        let text = fields.joined(separator: "\0")
        guard let box = try? AES.GCM.seal(Array(text.utf8), using: Self.key(key)) else { return nil }
        return Base64URL.encode(Array(box.nonce) + Array(box.ciphertext) + Array(box.tag))
    }

    /// Opens the form of a cookie.
    ///
    /// - Returns: `nil` if it was made with another key or changed, or is older than `lifetime`.
    static func opened(_ sealed: String, key: [UInt8], now: Int64) -> SelfReportForm? {
        guard let bytes = Base64URL.decode(sealed), let box = try? AES.GCM.SealedBox(combined: bytes),
            let plain = try? AES.GCM.open(box, using: Self.key(key))
        else { return nil }
        let fields = String(decoding: Array(plain), as: UTF8.self)
            .split(separator: "\0", omittingEmptySubsequences: false).map(String.init)
        guard fields.count == fieldCount, let at = Int64(fields[0]),
            (-lifetime..<lifetime).contains(now - at)
        else { return nil }
        var form = SelfReportForm()
        form.proof = Proof(rawValue: fields[1])
        form.code = fields[2]
        form.reference = isReference(fields[3]) ? fields[3] : nil
        form.version = fields[4]
        form.isSent = fields[5] == "sent"
        (form.test, form.onset, form.order) = (fields[6], fields[7], fields[8])
        (form.name, form.number, form.contact) = (fields[9], fields[10], fields[11])
        if let step = Step(rawValue: fields[12]), let status = Int(fields[13]), (200..<600).contains(status) {
            form.problem = Problem(step, status, fields[14])
        }
        return form
    }

    /// Returns the key for this purpose alone.
    private static func key(_ secret: [UInt8]) -> SymmetricKey {
        let code = HMAC<SHA256>.authenticationCode(for: Array("self-report".utf8), using: SymmetricKey(data: secret))
        return SymmetricKey(data: Array(code))
    }
}
