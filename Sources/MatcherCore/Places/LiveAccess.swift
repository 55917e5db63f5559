/// What each client can see on a route about floors. The table decides; no other code does.
package struct LiveAccess: Equatable, Sendable {
    /// What is seen.
    package enum View: String, CaseIterable, Sendable {
        /// Floors, rooms and receivers: no people.
        case plan
        /// Positions with a key that is another one each day: nobody's identity.
        case dots
        /// Positions with the identities of the subjects.
        case identities
        /// The subject's own position.
        case own
    }

    /// The route as in the OpenAPI document.
    package let route: String
    package let views: [LiveReader: View]

    private init(_ route: String, _ views: [LiveReader: View]) {
        self.route = route
        self.views = views
    }

    /// Path of a floor in routes.
    package static let floor = "/v1/floors/{site}/{building}/{floor}"

    package static let table: [LiveAccess] = [
        LiveAccess("/v1/floors", [.operator: .plan, .officer: .plan]),
        LiveAccess(floor, [.operator: .plan, .officer: .plan]),
        LiveAccess(floor + "/plan.svg", [.operator: .plan, .officer: .plan]),
        LiveAccess(floor + "/live", [.operator: .dots, .officer: .identities]),
        LiveAccess("/v1/subjects/{id}/location", [.subject: .own]),
        LiveAccess("/v1/interactions", [.subject: .own]),
    ]

    /// Returns what a client sees on a route; `nil` if it sees nothing there.
    package static func view(of route: String, for reader: LiveReader) -> View? {
        table.first { $0.route == route }?.views[reader]
    }
}
