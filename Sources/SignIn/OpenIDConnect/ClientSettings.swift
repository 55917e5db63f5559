/// This program as a client of the identity provider.
package struct ClientSettings: Equatable, Sendable {
    /// Issuer, exactly as the provider writes it.
    package var issuer: String
    package var clientID: String
    package var clientSecret: String
    /// Address of the callback, as it is registered at the provider.
    package var redirectURI: String
    /// Scopes beside `openid`, which is always asked for.
    package var scopes: [String]
    /// Claims with the name, number and roles: a member, or a path of members with dots, `realm_access.roles`.
    package var nameClaim: String
    package var numberClaim: String?
    package var rolesClaim: String
    package var roleRules: [RoleRule]

    package init(
        issuer: String, clientID: String, clientSecret: String, redirectURI: String, scopes: [String] = ["profile"],
        nameClaim: String = "name", numberClaim: String? = nil, rolesClaim: String = "groups", roleRules: [RoleRule]
    ) {
        self.issuer = issuer
        self.clientID = clientID
        self.clientSecret = clientSecret
        self.redirectURI = redirectURI
        self.scopes = scopes
        self.nameClaim = nameClaim
        self.numberClaim = numberClaim
        self.rolesClaim = rolesClaim
        self.roleRules = roleRules
    }

    /// The scopes as a parameter, each once.
    var scope: String {
        var names = ["openid"]
        for name in scopes where !names.contains(name) { names.append(name) }
        return names.joined(separator: " ")
    }
}

/// Descriptions without the secret.
extension ClientSettings: CustomStringConvertible, CustomDebugStringConvertible {
    package var description: String { "client \(clientID) of \(issuer)" }
    package var debugDescription: String { description }
}
