import Glibc

/// Who was really how near whom in a day, from positions alone.
///
/// It shares no code with what it judges: distances are taken in the plane of a floor, badges all hang equally high, and
/// seconds are counted.
struct ContactTruth: Sendable {
    /// Seconds of a pair.
    struct Times: Equatable, Sendable {
        /// Within 2 m and 6 m of each other in the same room.
        var within2m = 0
        var within6m = 0
        /// Both within 3 m of the same beacon, each straight through the air.
        var atOneBeacon = 0
        /// The shortest time between moments at which each of them was within 3 m of the same beacon; `nil`: never.
        var apartAtOneBeacon: Int?
    }

    let people: Int
    /// By pair, the smaller number first.
    private var times: [Times]
    /// Seconds in the same room, by pair.
    private var together: [Int]

    init(_ walks: Walks, _ building: Building) {
        people = walks.people
        times = Array(repeating: Times(), count: people * people)
        together = Array(repeating: 0, count: people * people)
        let rooms = building.rooms
        let beacons = building.gateways
        // Who is in a room, and who is near a beacon, also from beside its room.
        var inside = Array(repeating: [Int](), count: rooms.count)
        var near = Array(repeating: [Int](), count: beacons.count)
        var lastNear = Array(repeating: Int?.none, count: beacons.count * people)
        for second in 0..<walks.seconds {
            for room in rooms.indices { inside[room].removeAll(keepingCapacity: true) }
            for beacon in beacons.indices { near[beacon].removeAll(keepingCapacity: true) }
            let positions = walks.everybody(at: second)
            let first = positions.startIndex
            for person in 0..<people where positions[first + person].isInside {
                let position = positions[first + person]
                inside[Int(position.room)].append(person)
                for beacon in beacons.indices where beacons[beacon].floor == rooms[Int(position.room)].floor {
                    if Self.isNear(position, beacons[beacon], below: building.height) { near[beacon].append(person) }
                }
            }
            for room in rooms.indices {
                Self.forEachPair(inside[room]) { one, other in
                    together[one * people + other] += 1
                    let (from, to) = (positions[first + one], positions[first + other])
                    let distance = hypot(Double(from.x - to.x), Double(from.y - to.y))
                    if distance <= 6 { times[one * people + other].within6m += 1 }
                    if distance <= 2 { times[one * people + other].within2m += 1 }
                }
            }
            for beacon in beacons.indices {
                Self.forEachPair(near[beacon]) { one, other in
                    times[one * people + other].atOneBeacon += 1
                    times[one * people + other].apartAtOneBeacon = 0
                }
                for person in near[beacon] {
                    lastNear[beacon * people + person] = second
                    for other in 0..<people where other != person {
                        guard let last = lastNear[beacon * people + other] else { continue }
                        let pair = min(person, other) * people + max(person, other)
                        times[pair].apartAtOneBeacon = min(times[pair].apartAtOneBeacon ?? .max, second - last)
                    }
                }
            }
        }
    }

    /// For how many seconds the two were in the same room.
    func secondsInOneRoom(_ one: Int, _ other: Int) -> Int { together[min(one, other) * people + max(one, other)] }

    subscript(one: Int, other: Int) -> Times { times[min(one, other) * people + max(one, other)] }

    /// Metres from a beacon at which a policy's place ends.
    private static let placeRadius = 3.0

    /// - Parameter height: of the beacon above badges, in metres.
    private static func isNear(_ position: Walks.Position, _ beacon: Building.Gateway, below height: Double) -> Bool {
        let (dx, dy) = (Double(position.x) - beacon.x, Double(position.y) - beacon.y)
        return dx * dx + dy * dy + height * height <= placeRadius * placeRadius
    }

    private static func forEachPair(_ people: [Int], _ body: (Int, Int) -> Void) {
        for index in people.indices.dropLast() {
            for other in people[(index + 1)...] { body(people[index], other) }
        }
    }
}
