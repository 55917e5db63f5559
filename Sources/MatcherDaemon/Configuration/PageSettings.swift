package import SignIn

/// Settings of the page.
package struct PageSettings: Equatable, Sendable {
    /// Address at which browsers reach the page.
    package var address: PublicAddress
    /// This program as a client of the identity provider; `nil` if nobody signs in there.
    var login: ClientSettings?
    package var sessions: SessionPolicy
    /// Courses of lecturers, by number or by the account's identifier, as `courses(of:)` decides.
    var courses: [String: Set<String>]

    /// Returns the courses of a lecturer's account: by its number, or by its identifier if accounts have no numbers.
    ///
    /// Never by both: the identifier that a provider gave somebody can be another person's number.
    func courses(of account: Account) -> Set<String> {
        let haveNumbers = account.issuer != Account.local && login?.numberClaim != nil
        let key = account.number ?? (haveNumbers ? nil : account.subject)
        return key.flatMap { courses[$0] } ?? []
    }
}
