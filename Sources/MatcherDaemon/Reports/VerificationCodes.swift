package import BeaconModel
package import InteractionStore
package import MatcherCore
package import Matching
import OperatorText
package import SignIn

/// Issue of verification codes by a health officer, from the command line or the page.
package struct VerificationCodes: Sendable {
    /// Days of the test and of the onset of symptoms, in days since 1970.
    package var test: Int64
    package var onset: Int64?
    /// Whether the codes are for a letter or a short message, and not to be read out.
    package var isLong: Bool
    /// Number of seconds for which short codes are valid.
    package var validity: Int64

    /// Bounds of `validity`, in seconds.
    package static let validities: ClosedRange<Int64> = 900...3600
    package static let standardValidity: Int64 = 1800
    /// Number of seconds for which long codes are valid.
    package static let longValidity: Int64 = 86_400
    /// Maximum number of codes that are issued together.
    package static let mostAtOnce = 100

    package init(
        test: Int64, onset: Int64? = nil, isLong: Bool = false, validity: Int64 = VerificationCodes.standardValidity
    ) {
        self.test = test
        self.onset = onset
        self.isLong = isLong
        self.validity = validity
    }

    /// The time at which codes that are issued now expire.
    package func expires(now: Int64) -> Int64 {
        let bounds = Self.validities
        return now + (isLong ? Self.longValidity : min(max(validity, bounds.lowerBound), bounds.upperBound))
    }

    /// Issues codes and notes in the audit who did.
    ///
    /// - Parameters:
    ///   - count: number of codes, 1 to `mostAtOnce`.
    ///   - account: the health officer.
    ///   - form: name of the form that was sent, which issues codes once: a browser can send it again; `nil` for none.
    ///   - policy: policy of the site, by whose days the test and the onset are checked.
    ///   - now: seconds since 1970.
    /// - Returns: the codes for people. They are kept nowhere, so that they cannot be shown again.
    /// - Throws: `CodeRefusal`, `StoreError`.
    package func issue(
        _ count: Int = 1, by account: Account, form: String? = nil, in store: InteractionStore, policy: Policy,
        now: Int64
    ) throws -> [String] {
        if let form, try store.hasNoted(.issuedCodes, form) { throw CodeRefusal.shownBefore }
        if let mistake = self.mistake(by: policy, now: now) { throw CodeRefusal.day(mistake) }
        let count = min(max(count, 1), Self.mostAtOnce)
        let secret = try store.secret(CodeAuthority.hashingSecret)
        let expires = self.expires(now: now)
        var random = SystemRandomNumberGenerator()
        var shown: [String] = []
        // A code can be one that there is already, which happens once in ten thousand at most.
        for _ in 0..<Self.mostAttempts where shown.count < count {
            var codes: [String: VerificationCode] = [:]
            while codes.count < count - shown.count {
                let code = VerificationCode.make(isLong ? .long : .short, using: &random)
                codes[code.hash(secret: secret)] = code
            }
            let entry = AuditEntry(
                at: now, account: account, action: .issuedCodes, object: form ?? "",
                detail: "\(codes.count) \(isLong ? "long" : "short"), test \(DayText.text(test))")
            let rows = codes.keys.map { hash in
                IssuedCode(
                    hash: hash, isLong: isLong, test: test, onset: onset, issued: now, expires: expires,
                    issuer: account.name)
            }
            guard let stored = try store.issue(codes: rows, audit: entry, now: now) else { throw CodeRefusal.tooMany }
            shown += stored.compactMap { codes[$0]?.shown }
        }
        return shown
    }

    private static let mostAttempts = 8

    /// Returns what is implausible about the days: a report with them would be refused, or nothing would follow from
    /// it.
    private func mistake(by policy: Policy, now: Int64) -> CaseDays.Mistake? {
        let positive = PositiveCase(reportType: .confirmed, onset: onset, test: test)
        let usual = now - policy.risk.days * 86_400
        let window = positive.window(lookback: policy.risk.days, received: now, days: policy.days)
        let days = CaseDays(
            policy: policy, since: max(window.since, usual), until: window.until, usual: usual,
            latest: policy.days.day(of: now))
        if let mistake = days.mistake(in: positive) { return mistake }
        guard window.until < usual else { return nil }
        return CaseDays.Mistake(
            key: .test, found: "\(DayText.text(test)) is so early that no contacts are notified any more",
            allowed: "must be at most \(policy.risk.days + PositiveCase.daysAhead) days ago")
    }
}

/// Why no codes were issued.
package enum CodeRefusal: OperatorError, Equatable {
    case day(CaseDays.Mistake)
    case tooMany
    /// The form was sent before.
    case shownBefore

    package var what: String {
        switch self {
        case .day(let mistake):
            "the day of the \(mistake.key == .onset ? "onset" : "test") \(mistake.found); \(mistake.allowed)"
        case .tooMany: "\(InteractionStore.mostCodes) verification codes are open, which is the maximum"
        case .shownBefore: "these codes were shown before and cannot be shown again"
        }
    }
    package var meaning: String? {
        switch self {
        case .day: "no exposures could follow from a report with the code"
        case .tooMany: "with more of them a code could be guessed"
        case .shownBefore: nil
        }
    }
    package var remedy: String? {
        switch self {
        case .day: "check the year, the month and the day"
        case .tooMany: "wait until codes have expired, and issue only codes that are needed now"
        case .shownBefore: "issue new ones"
        }
    }
    package var exitStatus: ExitStatus {
        switch self {
        case .day: .usage
        case .tooMany, .shownBefore: .unavailable
        }
    }
}
