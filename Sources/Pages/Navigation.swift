package import SignIn

/// Entries of the navigation, in their order.
package enum Navigation {
    static let entries: [(route: PageRoute, label: String)] = [
        (.overview, "Overview"), (.reports, "Reports"), (.exposures, "Exposures"), (.people, "People"),
        (.lectures, "Attendance"), (.floors, "Floors"), (.gateways, "Gateways"), (.audit, "Audit"),
        (.me, "My status"),
    ]

    /// Entry in the navigation of a page.
    package struct Item: Equatable, Sendable {
        package var label: String
        package var path: String
        package var isCurrent: Bool
    }

    /// Returns the entries that an account with some roles can use.
    package static func items(for roles: Set<Role>, current: PageRoute?) -> [Item] {
        entries.filter { $0.route.definition.access.allows(roles) }.map {
            Item(label: $0.label, path: $0.route.path, isCurrent: $0.route == current)
        }
    }
}
