/// The simulated floor: a corridor, five rooms, and a gateway in each. Pure.
enum DemoFloor {
    /// Point on the floor, in metres from the corner of the building.
    struct Point: Equatable, Sendable {
        var x: Double
        var y: Double

        init(_ x: Double, _ y: Double) {
            self.x = x
            self.y = y
        }

        func distance(to other: Point) -> Double {
            let (dx, dy) = (other.x - x, other.y - y)
            return (dx * dx + dy * dy).squareRoot()
        }
    }

    /// Rectangular room with the gateway that hangs in it.
    struct Room: Sendable {
        var name: String
        /// Corner with the smallest coordinates.
        var low: Point
        /// Corner with the greatest coordinates.
        var high: Point
        /// Middle of the door to the corridor; of the corridor, that of the building's entrance.
        var door: Point
        var capacity: Int
        /// Name of the gateway.
        var gateway: String
        /// Place of the gateway.
        var receiver: Point

        /// Whether a point is in the room or on its edge.
        func contains(_ point: Point) -> Bool {
            (low.x...high.x).contains(point.x) && (low.y...high.y).contains(point.y)
        }
    }

    static let width = 18.0
    static let depth = 9.0
    static let doorWidth = 1.0
    /// Line in the middle of the corridor.
    static let corridorLine = 4.75
    /// Height of gateways, and of badges.
    static let receiverHeight = 2.4
    static let badgeHeight = 1.2

    static let corridor = Room(
        name: "Corridor", low: Point(0, 4), high: Point(18, 5.5), door: Point(18, corridorLine), capacity: 20,
        gateway: "corridor", receiver: Point(8, 5.2))
    static let library = Room(
        name: "Library", low: Point(0, 5.5), high: Point(6, 9), door: Point(3, 5.5), capacity: 6, gateway: "library",
        receiver: Point(1, 8.5))
    static let seminar = Room(
        name: "Seminar room", low: Point(6, 5.5), high: Point(12, 9), door: Point(9, 5.5), capacity: 12,
        gateway: "seminar", receiver: Point(9, 8.6))
    static let studio = Room(
        name: "Studio", low: Point(12, 5.5), high: Point(18, 9), door: Point(15, 5.5), capacity: 6, gateway: "studio",
        receiver: Point(17, 8.5))
    static let kitchen = Room(
        name: "Kitchen", low: Point(0, 0), high: Point(7, 4), door: Point(5, 4), capacity: 8, gateway: "kitchen",
        receiver: Point(1, 0.5))
    static let laboratory = Room(
        name: "Laboratory", low: Point(7, 0), high: Point(18, 4), door: Point(12, 4), capacity: 12,
        gateway: "laboratory", receiver: Point(12.8, 0.5))
    static let rooms = [corridor, library, seminar, studio, kitchen, laboratory]

    /// Walls between rooms: each is a straight line along one of the axes.
    private static let walls: [(from: Point, to: Point)] = [
        (Point(0, 4), Point(18, 4)), (Point(0, 5.5), Point(18, 5.5)), (Point(6, 5.5), Point(6, 9)),
        (Point(12, 5.5), Point(12, 9)), (Point(7, 0), Point(7, 4)),
    ]
    /// Attenuation of a wall, and of a door in it, in dB.
    static let wallAttenuation = 4.0
    private static let doorAttenuation = 1.0

    /// Whether a point is inside the building.
    static func contains(_ point: Point) -> Bool {
        (0...width).contains(point.x) && (0...depth).contains(point.y)
    }

    /// Returns the attenuation by the walls between two points, in dB.
    static func attenuation(from start: Point, to end: Point) -> Double {
        walls.reduce(0) { total, wall in
            guard let crossing = crossing(from: start, to: end, wall) else { return total }
            let isDoor = rooms.contains { $0.door.distance(to: crossing) <= doorWidth / 2 }
            return total + (isDoor ? doorAttenuation : wallAttenuation)
        }
    }

    /// Returns the distance from a badge to the gateway of a room, in metres.
    static func distance(from badge: Point, to room: Room) -> Double {
        let (level, height) = (badge.distance(to: room.receiver), receiverHeight - badgeHeight)
        return (level * level + height * height).squareRoot()
    }

    /// Returns the point at which a line crosses a wall; `nil` if it does not.
    private static func crossing(from start: Point, to end: Point, _ wall: (from: Point, to: Point)) -> Point? {
        let isLevel = wall.from.y == wall.to.y
        let (begin, finish, line) =
            isLevel ? (start.y, end.y, wall.from.y) : (start.x, end.x, wall.from.x)
        guard (begin < line) != (finish < line) else { return nil }
        let share = (line - begin) / (finish - begin)
        let point = Point(start.x + (end.x - start.x) * share, start.y + (end.y - start.y) * share)
        let isOnWall =
            isLevel ? (wall.from.x...wall.to.x).contains(point.x) : (wall.from.y...wall.to.y).contains(point.y)
        return isOnWall ? point : nil
    }
}
