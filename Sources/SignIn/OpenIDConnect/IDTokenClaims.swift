/// Claims of a verified ID token.
package struct IDTokenClaims: Equatable, Sendable {
    package let issuer: String
    package let subject: String
    let members: [String: ClaimValue]

    /// Maximum number of names in a path.
    private static let longestPath = 8

    /// Returns the claim of that name, or the one at a path of members with dots between; `nil` if there is none.
    ///
    /// The whole name comes first, because some providers use addresses as names of claims.
    func value(_ path: String) -> ClaimValue? {
        if let value = members[path] { return value }
        let names = path.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        guard names.count <= Self.longestPath else { return nil }
        var value = ClaimValue.object(members)
        for name in names {
            guard case .object(let members) = value, let member = members[name] else { return nil }
            value = member
        }
        return value
    }
}
