/// Value of the claim with the roles that gives a role.
package struct RoleRule: Equatable, Sendable {
    package var role: Role
    package var value: String

    package init(role: Role, value: String) {
        self.role = role
        self.value = value
    }
}
