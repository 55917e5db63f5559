import Glibc

/// One person's day, second by second: walks to where the agenda says, and sits or stands there.
struct Walker {
    private let person: Agenda.Person
    private let building: Building
    private var random: SplitMix
    /// Metres a second.
    private let pace: Double
    private var x: Double
    private var y: Double
    private var floor = 0
    private var facing = 0.0
    /// What is still ahead.
    private var way: [Step] = []
    private var target: Spot?
    private var hasLeft = false
    /// What a seated person shifts by, and when next.
    private var shift = (x: 0.0, y: 0.0, facing: 0.0)
    private var nextShift = 0
    private var next = 0

    private enum Step {
        case to(x: Double, y: Double)
        /// Seconds on the stairs, then on that floor.
        case stairs(seconds: Int, floor: Int)
        case out
    }

    /// Seconds for a floor.
    private static let climb = 18

    init(_ person: Agenda.Person, _ building: Building, _ random: SplitMix) {
        self.person = person
        self.building = building
        self.random = random
        pace = 1.2 * self.random.number(in: 0.9...1.1)
        x = building.plan.stairs
        y = building.corridorMiddle
    }

    /// Called for each second from the arrival on.
    mutating func next(at second: Int) -> Walks.Position {
        if hasLeft { return .outside }
        let wanted = second >= person.departure ? nil : spot(at: second)
        if second >= person.departure {
            if target != nil || second == person.departure {
                target = nil
                way = wayOut()
            }
        } else if wanted != target, let wanted {
            target = wanted
            way = route(to: wanted)
        }
        move()
        if hasLeft { return .outside }
        if way.isEmpty, second >= nextShift { settle(second) }
        let (dx, dy, turn) = way.isEmpty ? (shift.x, shift.y, shift.facing) : (0, 0, 0)
        return Walks.Position(
            x: Float(x + dx), y: Float(y + dy), facing: Float(facing + turn),
            room: Int32(building.room(x: x, y: y, floor: floor)))
    }

    /// Where the agenda wants the person to be.
    private mutating func spot(at second: Int) -> Spot {
        while next < person.activities.count, person.activities[next].end <= second { next += 1 }
        guard next < person.activities.count else { return person.desk }
        let activity = person.activities[next]
        return activity.start <= second ? activity.spot : person.desk
    }

    private mutating func settle(_ second: Int) {
        if let target { facing = target.facing }
        shift = (random.number(in: -0.12...0.12), random.number(in: -0.12...0.12), random.number(in: -0.7...0.7))
        nextShift = second + random.number(in: 30...240)
    }

    /// To the door of the room, along the corridor, over the stairs if need be, and into the other room.
    private mutating func route(to spot: Spot) -> [Step] {
        let here = building.rooms[building.room(x: x, y: y, floor: floor)]
        let there = building.rooms[building.room(x: spot.x, y: spot.y, floor: spot.floor)]
        if here.floor == there.floor, here.x == there.x, here.y == there.y { return [.to(x: spot.x, y: spot.y)] }
        var steps = toCorridor(here)
        let lane = random.number(in: building.plan.lane)
        if floor != spot.floor {
            steps.append(.to(x: building.plan.stairs, y: lane))
            steps.append(.stairs(seconds: Self.climb * abs(floor - spot.floor), floor: spot.floor))
        }
        if there.kind != .corridor {
            steps.append(.to(x: there.middle.x, y: lane))
            steps.append(.to(x: there.middle.x, y: door(there)))
        }
        return steps + [.to(x: spot.x, y: spot.y)]
    }

    private mutating func wayOut() -> [Step] {
        let here = building.rooms[building.room(x: x, y: y, floor: floor)]
        var steps = toCorridor(here) + [.to(x: building.plan.stairs, y: random.number(in: building.plan.lane))]
        if floor > 0 { steps.append(.stairs(seconds: Self.climb * floor, floor: 0)) }
        return steps + [.out]
    }

    private func toCorridor(_ room: Building.Room) -> [Step] {
        guard room.kind != .corridor else { return [] }
        return [.to(x: room.middle.x, y: door(room)), .to(x: room.middle.x, y: building.corridorMiddle)]
    }

    /// Just inside a room.
    private func door(_ room: Building.Room) -> Double {
        room.y.lowerBound > building.corridorMiddle ? room.y.lowerBound + 0.3 : room.y.upperBound - 0.3
    }

    /// As far as one gets in a second.
    private mutating func move() {
        var rest = pace
        while rest > 0, let step = way.first {
            switch step {
            case .to(let toX, let toY):
                let distance = hypot(toX - x, toY - y)
                if distance > 1e-6 { facing = atan2(toY - y, toX - x) }
                if distance <= rest {
                    (x, y) = (toX, toY)
                    rest -= distance
                    way.removeFirst()
                    if way.isEmpty { nextShift = 0 }
                } else {
                    x += (toX - x) * rest / distance
                    y += (toY - y) * rest / distance
                    rest = 0
                }
            case .stairs(let seconds, let to):
                if seconds > 1 {
                    way[0] = .stairs(seconds: seconds - 1, floor: to)
                } else {
                    floor = to
                    way.removeFirst()
                }
                rest = 0
            case .out:
                hasLeft = true
                way = []
                rest = 0
            }
        }
    }
}
