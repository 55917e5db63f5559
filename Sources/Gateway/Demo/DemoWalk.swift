/// Round of a person over the floor: stays at places, with walks through doors between them. It begins again when it
/// ends. Pure.
struct DemoWalk: Sendable {
    /// Stay at a place.
    struct Stop: Sendable {
        var spot: DemoSpot
        /// Length of the stay in seconds.
        var seconds: Double

        init(_ spot: DemoSpot, _ seconds: Double) {
            self.spot = spot
            self.seconds = seconds
        }
    }

    /// Stay, and the walk that follows it.
    private struct Part: Sendable {
        /// Seconds from the beginning of the round.
        var begin: Double
        var stay: Double
        /// Corners of the walk, the place of the stay first.
        var path: [DemoFloor.Point]
    }

    /// Walking speed in metres per second.
    private static let speed = 1.2
    private let parts: [Part]
    /// Length of the round in seconds.
    let length: Double

    init(_ stops: [Stop]) {
        var parts: [Part] = []
        var time = 0.0
        for (stop, next) in zip(stops, stops.dropFirst() + stops.prefix(1)) {
            let path = stop.spot.path(to: next.spot)
            parts.append(Part(begin: time, stay: stop.seconds, path: path))
            let walk = zip(path, path.dropFirst()).reduce(0.0) { $0 + $1.0.distance(to: $1.1) }
            time += stop.seconds + walk / Self.speed
        }
        self.parts = parts
        length = time
    }

    /// Returns where the person is, with the round beginning at time 0.
    func position(at time: Double) -> DemoFloor.Point {
        let rest = length > 0 ? time.truncatingRemainder(dividingBy: length) : 0
        let moment = rest < 0 ? rest + length : rest
        guard let part = parts.last(where: { $0.begin <= moment }) ?? parts.first, let start = part.path.first else {
            return DemoFloor.corridor.door
        }
        var distance = (moment - part.begin - part.stay) * Self.speed
        guard distance > 0 else { return start }
        for (from, to) in zip(part.path, part.path.dropFirst()) {
            let step = from.distance(to: to)
            if distance < step {
                let share = distance / step
                return DemoFloor.Point(from.x + (to.x - from.x) * share, from.y + (to.y - from.y) * share)
            }
            distance -= step
        }
        return part.path.last ?? start
    }
}

/// Place at which somebody stays.
enum DemoSpot: Sendable {
    /// Point in a room.
    case at(DemoFloor.Room, DemoFloor.Point)
    /// Out of the building, and out of reach of its gateways.
    case outside

    private static let away = DemoFloor.Point(24, DemoFloor.corridorLine)

    var point: DemoFloor.Point {
        switch self {
        case .at(_, let point): point
        case .outside: Self.away
        }
    }

    /// Returns the corners of the way to another place, both ends included.
    func path(to other: DemoSpot) -> [DemoFloor.Point] {
        if case .at(let room, _) = self, case .at(let next, _) = other, room.name == next.name {
            return [point, other.point]
        }
        return exit + other.exit.reversed()
    }

    /// The way to the middle of the corridor.
    private var exit: [DemoFloor.Point] {
        switch self {
        case .at(let room, let point) where room.name == DemoFloor.corridor.name:
            [point, DemoFloor.Point(point.x, DemoFloor.corridorLine)]
        case .at(let room, let point):
            [point, room.door, DemoFloor.Point(room.door.x, DemoFloor.corridorLine)]
        case .outside: [Self.away, DemoFloor.corridor.door]
        }
    }
}
