package import BeaconModel
package import FloorPlans

/// A floor with its plan and receivers, for programs. Lengths are in metres.
package struct FloorDocument: Encodable, Equatable, Sendable {
    /// `site/building/floor`.
    package var id: String
    package var site: String
    package var building: String
    package var floor: String
    package var name: String?
    package var elevation: Double
    package var height: Double
    package var outline: [[Double]]
    package var rooms: [Room]
    package var walls: [Wall]
    package var doors: [Door]
    package var passages: [Passage]
    package var receivers: [Receiver]
    /// Whether live positions are computed.
    package var isLive: Bool
    /// Whether the radio model was corrected by a survey.
    package var isSurveyed: Bool

    /// A room.
    package struct Room: Encodable, Equatable, Sendable {
        package var name: String
        package var polygon: [[Double]]
        package var capacity: Int?
    }

    /// A wall.
    package struct Wall: Encodable, Equatable, Sendable {
        package var points: [[Double]]
        /// Attenuation in dB.
        package var attenuation: Double
    }

    /// A door.
    package struct Door: Encodable, Equatable, Sendable {
        package var x: Double
        package var y: Double
        package var width: Double
    }

    /// Stairs or a lift.
    package struct Passage: Encodable, Equatable, Sendable {
        package var kind: String
        package var name: String
        package var x: Double
        package var y: Double
    }

    /// A receiver.
    package struct Receiver: Encodable, Equatable, Sendable {
        /// `site/building/floor/gateway`, followed by the remote receiver if it is one.
        package var path: String
        package var x: Double?
        package var y: Double?
        package var z: Double?
        package var room: String?
        /// Whether it has listened in the last 15 s; omitted while live is off.
        package var isHeard: Bool?

        package init(path: String, position: Place.Position?, room: String?, isHeard: Bool?) {
            self.path = path
            (x, y, z) = (position?.x, position?.y, position?.z)
            self.room = room
            self.isHeard = isHeard
        }
    }

    package init(_ plan: FloorPlan, receivers: [Receiver], isLive: Bool, isSurveyed: Bool) {
        func pairs(_ points: [PlanPoint]) -> [[Double]] { points.map { [$0.x, $0.y] } }
        id = plan.path
        (site, building, floor, name) = (plan.site, plan.building, plan.floor, plan.name)
        (elevation, height) = (plan.elevation, plan.height)
        outline = pairs(plan.outline.points)
        rooms = plan.rooms.map { Room(name: $0.name, polygon: pairs($0.polygon.points), capacity: $0.capacity) }
        walls = plan.walls.map {
            Wall(points: pairs($0.points), attenuation: $0.attenuation ?? plan.wallAttenuation)
        }
        doors = plan.doors.map { Door(x: $0.position.x, y: $0.position.y, width: $0.width) }
        passages = plan.passages.map {
            Passage(kind: $0.kind.rawValue, name: $0.name, x: $0.position.x, y: $0.position.y)
        }
        self.receivers = receivers
        self.isLive = isLive
        self.isSurveyed = isSurveyed
    }
}
