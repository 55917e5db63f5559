/// Floors that are alike: a corridor with rooms at both sides, as a plan has them, and a staircase at the corridor's end.
struct Building: Sendable {
    struct Room: Sendable {
        var kind: Kind
        var floor: Int
        /// Metres on the plan of the floor.
        var x: ClosedRange<Double>
        var y: ClosedRange<Double>
        /// Desks, or seats at tables or in rows.
        var seats: [Spot] = []

        var middle: (x: Double, y: Double) {
            ((x.lowerBound + x.upperBound) / 2, (y.lowerBound + y.upperBound) / 2)
        }
    }

    enum Kind: Sendable {
        case corridor, office, smallOffice, openPlan, meeting, canteen, hall
    }

    /// A receiver under the ceiling, beside the beacon by which its place is known.
    struct Gateway: Sendable {
        /// The same at any density, so that its radio is the same too.
        var number: Int
        var room: Int
        var floor: Int
        /// Metres on the plan of the floor.
        var x: Double
        var y: Double
        /// The number of the gateway whose remote receiver it is: a module that advertises and listens, and no gateway.
        var receiverOf: Int?
    }

    let plan: Plan
    private(set) var rooms: [Room] = []
    private(set) var floors = 0
    private(set) var gateways: [Gateway] = []

    /// Of a badge on a chest, in metres above the floor.
    static let badgeHeight = 1.15

    /// Gateways above badges, in metres.
    var height: Double { plan.gatewayHeight - Self.badgeHeight }
    /// Across the corridor.
    var corridor: ClosedRange<Double> { 0...plan.corridor }
    var corridorMiddle: Double { plan.corridor / 2 }

    /// - Parameters:
    ///   - desks: as many floors are built as are needed for so many.
    ///   - floors: at least.
    init(_ plan: Plan, desks: Int, floors least: Int = 1, _ density: Density = .everyRoom) {
        self.plan = plan
        repeat {
            addFloor(floors)
            floors += 1
        } while floors < least || (self.desks.count < desks && floors < Self.mostFloors)
        addGateways(density)
    }

    /// The offices, with a gateway in each room.
    init(people: Int) { self.init(.offices, desks: people) }

    /// Nothing needs more.
    private static let mostFloors = 200

    var desks: [Spot] {
        rooms.filter { $0.kind == .office || $0.kind == .smallOffice || $0.kind == .openPlan }.flatMap(\.seats)
    }

    func rooms(_ kind: Kind) -> [Room] { rooms.filter { $0.kind == kind } }

    var roomsPerFloor: Int { 1 + plan.north.count + plan.south.count }

    /// The number of the room at a point.
    func room(x: Double, y: Double, floor: Int) -> Int {
        let first = floor * roomsPerFloor
        if corridor.contains(y) { return first }
        for index in (first + 1)..<(first + roomsPerFloor)
        where rooms[index].x.contains(x) && rooms[index].y.contains(y) { return index }
        return first
    }

    /// Walls on the straight way from the middle of one room to that of another on the same floor.
    func walls(between one: Int, and other: Int) -> Int {
        if one == other { return 0 }
        let (from, to) = (rooms[one], rooms[other])
        if from.kind == .corridor || to.kind == .corridor { return 1 }
        let between = rooms.indices.count { index in
            let room = rooms[index]
            return index != one && index != other && room.floor == from.floor && room.kind != .corridor
                && isNorth(room) == isNorth(from)
                && (min(from.middle.x, to.middle.x)...max(from.middle.x, to.middle.x)).contains(room.middle.x)
        }
        return isNorth(from) == isNorth(to) ? between + 1 : between / 2 + 2
    }

    func isNorth(_ room: Room) -> Bool { room.y.lowerBound > corridorMiddle }

    private mutating func addFloor(_ floor: Int) {
        rooms.append(Room(kind: .corridor, floor: floor, x: 0...plan.length, y: corridor))
        for (side, isNorth) in [(plan.north, true), (plan.south, false)] {
            var x = 0.0
            for room in side {
                let kind = floor == 0 ? room.ground ?? room.kind : room.kind
                let y = isNorth ? plan.corridor...(plan.corridor + room.depth) : -room.depth...0
                rooms.append(
                    Room(
                        kind: kind, floor: floor, x: x...(x + room.width), y: y,
                        seats: Seats.of(kind, floor, x...(x + room.width), y)))
                x += room.width
            }
        }
    }

    private mutating func addGateways(_ density: Density) {
        for (index, room) in rooms.enumerated() {
            let place = index % roomsPerFloor
            let count: Int
            switch density {
            case .everyRoom: count = plan.gateways(place)
            case .everySecondRoom: count = (place + room.floor).isMultiple(of: 2) ? plan.gateways(place) : 0
            case .onePerFloor: count = room.kind == .corridor ? 1 : 0
            case .modules: count = room.kind == .corridor || (place + room.floor).isMultiple(of: 2) ? 1 : 0
            }
            let isModule = density == .modules && room.kind != .corridor
            for number in 0..<count {
                // Along the room, in the middle of equal parts.
                let share = (Double(number) + 0.5) / Double(count)
                gateways.append(
                    Gateway(
                        number: index + 10_000 * number, room: index, floor: room.floor,
                        x: count == 1
                            ? room.middle.x : room.x.lowerBound + share * (room.x.upperBound - room.x.lowerBound),
                        y: room.middle.y, receiverOf: isModule ? index - place : nil))
            }
        }
    }
}

/// In which rooms gateways hang.
enum Density: String, CaseIterable, Sendable {
    case everyRoom = "every-room"
    case everySecondRoom = "every-second-room"
    /// In the middle of the corridor.
    case onePerFloor = "one-per-floor"
    /// The same, and a module that listens in every second room.
    case modules = "one-per-floor-and-modules"
}
