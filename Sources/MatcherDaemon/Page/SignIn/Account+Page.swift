import SignIn

extension Account {
    /// Account of what is noted without who did it: the name of a person whose data is deleted, or who reports a test,
    /// would be kept with the note.
    static let unnamed = Account(issuer: "", subject: "", name: "", roles: [])

    /// The account among those of all issuers. Addresses of issuers have no spaces.
    var key: String { "\(issuer) \(subject)" }
}
