import InteractionStore
import SignIn
import SystemIO
import Testing

extension TestAPI {
    /// Decides about a report that was not decided before.
    ///
    /// - Parameter name: name in the audit.
    func decide(_ kind: ReportDecision.Kind, _ reference: String, by name: String) throws {
        let now = clock.withLock { $0 }
        let account = Account(issuer: Account.local, subject: name, name: name, roles: [])
        let entry = AuditEntry(
            at: now, account: account, action: kind == .confirmed ? .confirmedReport : .withdrewReport,
            object: reference)
        let decision = ReportDecision(kind, reason: "", name: name, at: now)
        let decided = try store.use { try $0.decide(decision, report: reference, audit: entry) }
        guard case .done = decided else {
            Issue.record("nothing was decided: \(decided)")
            return
        }
    }
}
