import InteractionStore
import SignIn

@testable import EvidenceTests

extension InteractionStore {
    /// Confirms a report, as an officer does.
    ///
    /// - Returns: what it was before; `nil` if nothing was decided.
    func confirm(report reference: String) throws -> Before? { try decide(.confirmed, reference) }

    /// Withdraws a report, as an officer does.
    ///
    /// - Returns: what it was before; `nil` if nothing was decided.
    func withdraw(report reference: String) throws -> Before? { try decide(.withdrawn, reference) }

    private func decide(_ kind: ReportDecision.Kind, _ reference: String) throws -> Before? {
        let account = Account(issuer: "i", subject: "olga", name: "Olga", roles: [.officer])
        let entry = AuditEntry(
            at: morning, account: account, action: kind == .confirmed ? .confirmedReport : .withdrewReport,
            object: reference)
        let decision = ReportDecision(kind, reason: "", name: account.name, at: morning)
        guard case .done(let before) = try decide(decision, report: reference, audit: entry) else { return nil }
        return before
    }
}
