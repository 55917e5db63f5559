/// Account of a person who signed in.
package struct Account: Equatable, Sendable {
    /// Issuer of the account: the identity provider's, or `Account.local`.
    package var issuer: String
    /// Identifier of the account at the issuer, which is never given to somebody else (claim `sub`).
    package var subject: String
    /// Name for people.
    package var name: String
    /// Student or staff number, which joins the account with the people register.
    package var number: String?
    package var roles: Set<Role>

    /// Issuer of accounts that signed in with a one-time link.
    package static let local = "local"

    package init(issuer: String, subject: String, name: String, number: String? = nil, roles: Set<Role>) {
        self.issuer = issuer
        self.subject = subject
        self.name = name
        self.number = number
        self.roles = roles
    }
}
