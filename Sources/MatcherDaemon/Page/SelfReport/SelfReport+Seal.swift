import Crypto
import MatcherCore

/// The self-report in a cookie: encrypted and authenticated with a key of the store, so that neither the code nor a
/// name can be read from it, nobody can make one, and all matchers of a store can open it.
extension SelfReport {
    /// Number of seconds for which what was typed is kept.
    static let lifetime: Int64 = 3600
    /// Maximum length of the text of a problem, in bytes: browsers keep cookies of at most 4096 bytes.
    private static let longestProblem = 280
    private static let fieldCount = 16

    /// Returns the self-report for a cookie.
    ///
    /// - Parameters:
    ///   - key: secret of the store for forms.
    ///   - now: seconds since 1970.
    ///   - owner: whose it is, by `owner(account:)`; `nil` for somebody who is not signed in.
    /// - Returns: `nil` if it cannot be encrypted.
    func sealed(key: [UInt8], now: Int64, owner: String? = nil) -> String? {
        let fields: [String]
        switch self {
        case .open(let form): fields = Self.fields(form)
        case .sent(let kind):
            fields = [kind.rawValue, "", "", "", "sent"] + Array(repeating: "", count: Self.fieldCount - 7)
        }
        let text = (["\(now)"] + fields + [owner ?? ""]).joined(separator: "\0")
        guard let box = try? AES.GCM.seal(Array(text.utf8), using: Self.key(key)) else { return nil }
        return Base64URL.encode(Array(box.nonce) + Array(box.ciphertext) + Array(box.tag))
    }

    /// Returns the fields of a form after the time.
    private static func fields(_ form: SelfReportForm) -> [String] {
        let problem = form.problem
        return [
            form.proof.kind.rawValue, form.code, form.reference ?? "", form.version, "", form.test, form.onset,
            form.order, form.name, form.number, form.contact, problem?.step.rawValue ?? "",
            problem.map { "\($0.status)" } ?? "",
            String(decoding: (problem?.text ?? "").utf8.prefix(longestProblem), as: UTF8.self),
        ]
    }

    /// Opens the self-report of a cookie.
    ///
    /// - Returns: `nil` if it was made with another key or changed, or is older than `lifetime`.
    static func opened(_ sealed: String, key: [UInt8], now: Int64) -> SelfReport? {
        guard let fields = fields(of: sealed, key: key, now: now),
            let kind = SelfReportForm.Proof.Kind(rawValue: fields[1])
        else { return nil }
        if fields[5] == "sent" { return .sent(kind) }
        let reference = SelfReportForm.isReference(fields[3]) ? fields[3] : nil
        var form: SelfReportForm
        switch kind {
        case .code:
            guard let reference else { return nil }
            form = SelfReportForm(.code(fields[2], reference: reference))
        case .picture: form = SelfReportForm(.picture(reference: reference))
        }
        form.version = fields[4]
        (form.test, form.onset, form.order) = (fields[6], fields[7], fields[8])
        (form.name, form.number, form.contact) = (fields[9], fields[10], fields[11])
        if let step = SelfReportForm.Step(rawValue: fields[12]), let status = Int(fields[13]),
            (200..<600).contains(status)
        {
            form.problem = SelfReportForm.Problem(step, status, fields[14])
        }
        return .open(form)
    }

    /// Returns whose the self-report of a cookie is.
    ///
    /// - Returns: `nil` if it was made by somebody who was not signed in, or cannot be opened.
    static func owner(of sealed: String, key: [UInt8], now: Int64) -> String? {
        fields(of: sealed, key: key, now: now).flatMap { $0[fieldCount - 1].isEmpty ? nil : $0[fieldCount - 1] }
    }

    /// Returns the short name under which an account owns a self-report.
    static func owner(account key: String) -> String {
        Base64URL.encode(Array(SHA256.hash(data: Array(key.utf8)).prefix(12)))
    }

    /// Returns the fields of a cookie, of which the first is the time.
    private static func fields(of sealed: String, key: [UInt8], now: Int64) -> [String]? {
        guard let bytes = Base64URL.decode(sealed), let box = try? AES.GCM.SealedBox(combined: bytes),
            let plain = try? AES.GCM.open(box, using: Self.key(key))
        else { return nil }
        let fields = String(decoding: Array(plain), as: UTF8.self)
            .split(separator: "\0", omittingEmptySubsequences: false).map(String.init)
        guard fields.count == fieldCount, let at = Int64(fields[0]), (-lifetime..<lifetime).contains(now - at) else {
            return nil
        }
        return fields
    }

    /// Returns the key for this purpose alone.
    private static func key(_ secret: [UInt8]) -> SymmetricKey {
        let code = HMAC<SHA256>.authenticationCode(for: Array("self-report".utf8), using: SymmetricKey(data: secret))
        return SymmetricKey(data: Array(code))
    }
}
