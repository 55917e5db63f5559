/// The plan of one floor, in metres. All floors of a building have the same origin.
package struct FloorPlan: Equatable, Sendable {
    /// Site; a level of the topics.
    package var site: String
    /// Building; a level of the topics.
    package var building: String
    /// Floor; a level of the topics.
    package var floor: String
    /// Name for people: `Level 2`.
    package var name: String?
    /// Height of the floor above the building's origin, in metres.
    package var elevation: Double
    /// Height of the storey in metres.
    package var height: Double
    /// Outer edge of the floor.
    package var outline: PlanPolygon
    package var rooms: [Room]
    /// Walls, and what else attenuates signals, with attenuations of their own.
    package var walls: [Wall]
    package var doors: [Door]
    /// Stairs and lifts.
    package var passages: [Passage]
    /// Attenuation of edges of rooms at which there is no wall in `walls`, in dB.
    package var wallAttenuation: Double
    /// Attenuation of the ceiling, in dB.
    package var ceilingAttenuation: Double

    /// Attenuation of a wall if nothing is configured, in dB.
    ///
    /// Measured walls fit 3 to 6 dB.
    package static let usualWallAttenuation = 4.5
    /// Attenuation of a ceiling if nothing is configured, in dB.
    package static let usualCeilingAttenuation = 14.0
    /// Height of a storey if nothing is configured, in metres.
    package static let usualHeight = 3.0

    package init(
        site: String, building: String, floor: String, name: String? = nil, elevation: Double = 0,
        height: Double = usualHeight, outline: PlanPolygon, rooms: [Room] = [], walls: [Wall] = [], doors: [Door] = [],
        passages: [Passage] = [], wallAttenuation: Double = usualWallAttenuation,
        ceilingAttenuation: Double = usualCeilingAttenuation
    ) {
        self.site = site
        self.building = building
        self.floor = floor
        self.name = name
        self.elevation = elevation
        self.height = height
        self.outline = outline
        self.rooms = rooms
        self.walls = walls
        self.doors = doors
        self.passages = passages
        self.wallAttenuation = wallAttenuation
        self.ceilingAttenuation = ceilingAttenuation
    }

    /// The floor as in topics: `site/building/floor`.
    package var path: String { "\(site)/\(building)/\(floor)" }

    /// The building as in topics: `site/building`.
    package var buildingPath: String { "\(site)/\(building)" }

    /// A room.
    package struct Room: Equatable, Sendable {
        /// Name, as timetables and people write it.
        package var name: String
        package var polygon: PlanPolygon
        /// Number of people for which the room is made.
        package var capacity: Int?

        package init(name: String, polygon: PlanPolygon, capacity: Int? = nil) {
            self.name = name
            self.polygon = polygon
            self.capacity = capacity
        }
    }

    /// A wall along a line of at least two points.
    package struct Wall: Equatable, Sendable {
        package var points: [PlanPoint]
        /// Attenuation in dB; that of the floor if `nil`.
        package var attenuation: Double?

        package init(points: [PlanPoint], attenuation: Double? = nil) {
            self.points = points
            self.attenuation = attenuation
        }

        package var segments: [PlanSegment] { zip(points, points.dropFirst()).map { PlanSegment($0, $1) } }
    }

    /// A gap in a wall: people pass, and signals lose a quarter of what the wall takes.
    package struct Door: Equatable, Sendable {
        /// Middle of the door.
        package var position: PlanPoint
        /// Width in metres.
        package var width: Double

        package static let usualWidth = 1.0

        package init(position: PlanPoint, width: Double = usualWidth) {
            self.position = position
            self.width = width
        }
    }

    /// A way to other floors. Passages of the same name in one building are joined.
    package struct Passage: Equatable, Sendable {
        package var kind: Kind
        package var name: String
        package var position: PlanPoint

        /// Kinds of passages.
        package enum Kind: String, CaseIterable, Sendable {
            case stairs
            case lift
        }

        package init(kind: Kind, name: String, position: PlanPoint) {
            self.kind = kind
            self.name = name
            self.position = position
        }
    }
}
