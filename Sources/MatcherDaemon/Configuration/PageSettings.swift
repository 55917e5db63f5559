package import SignIn

/// Settings of the page.
package struct PageSettings: Equatable, Sendable {
    /// Address at which browsers reach the page.
    package var address: PublicAddress
    /// This program as a client of the identity provider; `nil` if nobody signs in there.
    var login: ClientSettings?
    package var sessions: SessionPolicy
    /// Courses of lecturers, by student or staff number or by the account's identifier.
    var courses: [String: Set<String>]
}
