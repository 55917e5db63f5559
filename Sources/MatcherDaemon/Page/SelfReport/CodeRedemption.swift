import InteractionStore
import MatcherCore
import Matching
import OperatorText
import People
import SignIn

/// Self-report with a health officer's code: the code is used up, and the report is filed or waits for an officer.
struct CodeRedemption: Sendable {
    /// Hash of the code, as the store keeps it.
    var hash: String
    /// Reference of the report, or of the result that waits.
    var reference: String
    var details: SelfReportForm.Details
    /// Whether the sender is signed in: then the name is that of the register.
    var isOwn: Bool
    var policy: Policy
    var days: CalendarDays
    var now: Int64

    enum Outcome: Sendable {
        /// Filed, or waiting for an officer. The sender does not learn which: it would tell whom the register has.
        case received
        case wrongCode
        /// Too many results wait. The code can still be used.
        case noRoom
    }

    /// Uses the code up.
    ///
    /// - Throws: `StoreError`; the code can still be used then.
    func run(in store: InteractionStore) throws -> Outcome {
        // Somebody who presses the button twice has used the code up with the first press.
        if try Self.isReceived(reference, in: store) { return .received }
        guard let issued = try store.openCode(hash, now: now) else { return try withoutCode(in: store) }
        let redeemed: InteractionStore.Redeemed
        if let report = try report(issued, in: store) {
            redeemed = try store.redeem(
                code: hash, as: .report(report),
                audit: entry(.filedReport, "\(ReportType.confirmed.rawValue), by a code"), now: now)
        } else {
            let result = SubmittedResult(
                reference: reference, state: .waiting, at: now, sender: details.sender, testDay: issued.test,
                onset: issued.onset ?? details.onset, proof: .code)
            redeemed = try store.redeem(
                code: hash, as: .result(result), audit: entry(.sentResult, "with a code"), now: now)
        }
        switch redeemed {
        case .done: return .received
        case .noRoom: return .noRoom
        case .noCode: return try withoutCode(in: store)
        }
    }

    /// Returns the outcome without a code: another process may have received this report in the meantime.
    private func withoutCode(in store: InteractionStore) throws -> Outcome {
        try Self.isReceived(reference, in: store) ? .received : .wrongCode
    }

    /// Whether a report or a result that waits has a reference.
    ///
    /// - Throws: `StoreError`.
    static func isReceived(_ reference: String, in store: InteractionStore) throws -> Bool {
        if try store.submittedResult(reference)?.state == .waiting { return true }
        return try store.filedReport(reference) != nil
    }

    private func entry(_ action: AuditEntry.Action, _ detail: String) -> AuditEntry {
        AuditEntry(at: now, account: .unnamed, action: action, object: reference, detail: detail)
    }

    /// Returns the report of the person in the register who has the number and the name; `nil` if nobody has both, or
    /// if an officer has to look at it first.
    private func report(_ issued: IssuedCode, in store: InteractionStore) throws -> PositiveReport? {
        guard let person = try store.person(number: details.sender.number),
            isOwn || FoldedName(person.name).isSame(as: FoldedName(details.sender.name))
        else { return nil }
        let draft = ReportDraft([
            "person": person.number, "choice": person.number, "test": DayText.text(issued.test),
            "onset": (issued.onset ?? details.onset).map(DayText.text) ?? "",
            "confirmation": ReportType.confirmed.rawValue,
        ])
        switch try draft.checked(reference: reference, policy: policy, days: days, now: now, in: store) {
        case .report(let report): return report
        case .mistakes: return nil
        }
    }
}
