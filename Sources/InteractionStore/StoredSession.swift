package import SignIn

/// Session of somebody who signed in on the page, as the store keeps it.
package struct StoredSession: Equatable, Sendable {
    /// Hash of the secret in the browser's cookie.
    package var hash: String
    package var account: Account
    /// Time of the sign-in, in seconds since 1970.
    package var created: Int64
    /// Time of the last request, in seconds since 1970, to within `InteractionStore.sessionRenewal`.
    package var used: Int64

    package init(hash: String, account: Account, created: Int64, used: Int64) {
        self.hash = hash
        self.account = account
        self.created = created
        self.used = used
    }
}

extension Account {
    /// Roles as the store keeps them.
    var storedRoles: String { roles.sorted().map(\.rawValue).joined(separator: ",") }

    static func roles(stored text: String?) -> Set<Role> {
        Set((text ?? "").split(separator: ",").compactMap { Role(rawValue: String($0)) })
    }
}
