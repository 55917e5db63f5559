import Glibc

/// Floors that are alike: a corridor of 32 m with offices, meeting rooms and an open-plan office at its sides, the canteen
/// in its place on the ground floor, and a staircase at the corridor's end.
struct Building: Sendable {
    struct Room: Sendable {
        var kind: Kind
        var floor: Int
        /// Metres on the plan of the floor.
        var x: ClosedRange<Double>
        var y: ClosedRange<Double>
        /// Desks, or seats at tables.
        var seats: [Spot] = []

        var middle: (x: Double, y: Double) {
            ((x.lowerBound + x.upperBound) / 2, (y.lowerBound + y.upperBound) / 2)
        }
    }

    enum Kind: Sendable {
        case corridor, office, openPlan, meeting, canteen
    }

    private(set) var rooms: [Room] = []
    private(set) var floors = 0

    /// Metres.
    static let floorHeight = 3.2
    /// Of a room's gateway, which hangs in the middle of the ceiling, and of a badge on a chest.
    static let gatewayHeight = 2.4
    static let badgeHeight = 1.15
    /// Across the corridor.
    static let corridor = 0.0...2.4
    static let corridorMiddle = 1.2
    /// Along the corridor: the staircase, and where people stop for a talk.
    static let stairs = 0.4
    static let coffeePoint = 9.0

    /// As many floors as are needed for a desk for everybody.
    init(people: Int) {
        repeat {
            addFloor(floors)
            floors += 1
        } while desks.count < people
    }

    var desks: [Spot] {
        rooms.filter { $0.kind == .office || $0.kind == .openPlan }.flatMap(\.seats)
    }

    func rooms(_ kind: Kind) -> [Room] { rooms.filter { $0.kind == kind } }

    /// The number of the room at a point.
    func room(x: Double, y: Double, floor: Int) -> Int {
        let first = floor * Self.roomsPerFloor
        if Self.corridor.contains(y) { return first }
        for index in (first + 1)..<(first + Self.roomsPerFloor)
        where rooms[index].x.contains(x) && rooms[index].y.contains(y) { return index }
        return first
    }

    /// Walls on the straight way from the middle of one room to that of another on the same floor.
    func walls(between one: Int, and other: Int) -> Int {
        if one == other { return 0 }
        let (from, to) = (rooms[one], rooms[other])
        let isAside = from.y == to.y
        if from.kind == .corridor || to.kind == .corridor { return 1 }
        let between = rooms.indices.count { index in
            let room = rooms[index]
            return index != one && index != other && room.floor == from.floor && room.y == from.y
                && (min(from.middle.x, to.middle.x)...max(from.middle.x, to.middle.x)).contains(room.middle.x)
        }
        return isAside ? between + 1 : between / 2 + 2
    }

    private static let roomsPerFloor = 10

    private mutating func addFloor(_ floor: Int) {
        rooms.append(Room(kind: .corridor, floor: floor, x: 0...32, y: Self.corridor))
        for (kind, start, end) in [(Kind.office, 0.0, 6.0), (.office, 6, 12), (.meeting, 12, 20), (.office, 20, 26)] {
            add(kind, floor, start...end, 2.4...8.4)
        }
        add(.office, floor, 26...32, 2.4...8.4)
        add(floor == 0 ? .canteen : .openPlan, floor, 0...14, -6...0)
        add(.meeting, floor, 14...20, -6...0)
        add(.office, floor, 20...26, -6...0)
        add(.office, floor, 26...32, -6...0)
    }

    private mutating func add(_ kind: Kind, _ floor: Int, _ x: ClosedRange<Double>, _ y: ClosedRange<Double>) {
        var room = Room(kind: kind, floor: floor, x: x, y: y)
        let middle = room.middle
        func seat(_ dx: Double, _ dy: Double, facing: Double) -> Spot {
            Spot(x: x.lowerBound + dx, y: y.lowerBound + dy, floor: floor, facing: facing)
        }
        switch kind {
        case .corridor: break
        case .office:
            // Three desks along each of two walls; neighbours are 1.5 to 2.4 m apart.
            for (row, dy) in [0.9, 2.7, 5.1].enumerated() {
                room.seats.append(seat(1.1, dy, facing: .pi))
                room.seats.append(seat(4.9, dy + (row == 1 ? -0.3 : 0), facing: 0))
            }
        case .openPlan:
            // Two rows of eight that face each other, 1.6 m apart.
            for column in 0..<8 {
                room.seats.append(seat(1.2 + 1.65 * Double(column), 2.2, facing: .pi / 2))
                room.seats.append(seat(1.2 + 1.65 * Double(column), 3.8, facing: -.pi / 2))
            }
        case .meeting: room.seats = Self.table(middle, floor, seats: 10, radius: (1.9, 1.2))
        case .canteen:
            for dx in [2.5, 7, 11.5] {
                for dy in [1.6, 4.4] {
                    room.seats += Self.table(
                        (x.lowerBound + dx, y.lowerBound + dy), floor, seats: 6, radius: (0.9, 0.8))
                }
            }
        }
        rooms.append(room)
    }

    /// Seats around a table, facing its middle.
    private static func table(
        _ middle: (x: Double, y: Double), _ floor: Int, seats: Int, radius: (x: Double, y: Double)
    ) -> [Spot] {
        (0..<seats).map { seat in
            let angle = 2 * Double.pi * Double(seat) / Double(seats)
            return Spot(
                x: middle.x + radius.x * cos(angle), y: middle.y + radius.y * sin(angle), floor: floor,
                facing: angle + .pi)
        }
    }
}
