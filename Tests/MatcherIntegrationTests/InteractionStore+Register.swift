import InteractionStore
import People
import SignIn

extension InteractionStore {
    /// Changes the register of people as somebody who agrees to all changes, or only says what would change.
    ///
    /// The entry of the audit is removed again: tests see only entries of what they test.
    func importPeople(_ people: [Person], keepsOthers: Bool, isTrial: Bool) throws -> PeopleDifference {
        if isTrial { return try peopleDifference(to: people, keepsOthers: keepsOthers) }
        let account = Account(issuer: "i", subject: "s", name: "Olga", roles: [.officer])
        let outcome = try importPeople(
            people, keepsOthers: keepsOthers, isAgreed: { _ in true },
            audit: { AuditEntry(at: 0, account: account, action: .uploaded, object: "people", detail: $0.summary) })
        try removeAudit(before: 1)
        switch outcome {
        case .done(let difference), .refused(let difference): return difference
        }
    }
}
