package import BeaconModel

/// A receiver as the check and the drawing of a plan need it.
package struct PlanReceiver: Equatable, Sendable {
    /// `site/building/floor/gateway`, followed by the remote receiver if it is one.
    package var path: String
    /// Position on the floor's plan, with the height above the floor; `nil` if it is unknown.
    package var position: Place.Position?
    /// Room that the receiver names.
    package var room: String?

    package init(path: String, position: Place.Position? = nil, room: String? = nil) {
        self.path = path
        self.position = position
        self.room = room
    }

    /// The floor as `site/building/floor`.
    package var floor: String { path.split(separator: "/").prefix(3).joined(separator: "/") }

    /// The building as `site/building`.
    package var building: String { path.split(separator: "/").prefix(2).joined(separator: "/") }

    /// The name on its floor: gateway, and remote receiver if it is one.
    package var name: String { path.split(separator: "/").dropFirst(3).joined(separator: "/") }

    package var point: PlanPoint? { position.map { PlanPoint(x: $0.x, y: $0.y) } }
}
