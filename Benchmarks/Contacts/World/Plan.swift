/// The rooms of a floor, at both sides of a straight corridor, as data. All floors of a building have the same walls.
struct Plan: Sendable {
    struct Room: Sendable {
        var kind: Building.Kind
        /// What it is on the ground floor; `nil`: the same.
        var ground: Building.Kind?
        /// Along the corridor and away from it, in metres.
        var width: Double
        var depth: Double
        /// Where each room has some.
        var gateways = 1
    }

    /// From the corridor's beginning on.
    var north: [Room]
    var south: [Room]
    /// Of the corridor, in metres, and how wide it is.
    var length: Double
    var corridor = 2.4
    var corridorGateways = 1
    /// Across the corridor: where people walk.
    var lane = 0.7...1.7
    /// Along the corridor: the staircase, and where people stop for a talk.
    var stairs = 0.4
    var coffeePoint = 9.0
    /// Metres.
    var floorHeight = 3.2
    var gatewayHeight = 2.4
    var leastFloors = 1

    /// - Parameter place: 0 for the corridor, then the rooms in the north, then those in the south.
    func gateways(_ place: Int) -> Int {
        if place == 0 { return corridorGateways }
        return place <= north.count ? north[place - 1].gateways : south[place - 1 - north.count].gateways
    }
}

extension Plan {
    /// Offices, meeting rooms and an open-plan office, with the canteen in its place on the ground floor.
    static let offices = Plan(
        north: [
            Room(kind: .office, width: 6, depth: 6), Room(kind: .office, width: 6, depth: 6),
            Room(kind: .meeting, width: 8, depth: 6), Room(kind: .office, width: 6, depth: 6),
            Room(kind: .office, width: 6, depth: 6),
        ],
        south: [
            Room(kind: .openPlan, ground: .canteen, width: 14, depth: 6), Room(kind: .meeting, width: 6, depth: 6),
            Room(kind: .office, width: 6, depth: 6), Room(kind: .office, width: 6, depth: 6),
        ],
        length: 32)

    /// Lecture halls of 12 by 20 and 16 by 24 m with one or two gateways each, seminar rooms, and a room to study in, with
    /// the canteen in its place on the ground floor.
    static let halls = Plan(
        north: [
            Room(kind: .hall, width: 20, depth: 12), Room(kind: .hall, width: 24, depth: 16, gateways: 2),
            Room(kind: .meeting, width: 8, depth: 8),
        ],
        south: [
            Room(kind: .openPlan, ground: .canteen, width: 16, depth: 10),
            Room(kind: .hall, width: 20, depth: 12, gateways: 2), Room(kind: .meeting, width: 8, depth: 8),
            Room(kind: .meeting, width: 8, depth: 8),
        ],
        length: 52, corridor: 4, corridorGateways: 2, lane: 1...3, coffeePoint: 24, floorHeight: 4.6,
        gatewayHeight: 3.6, leastFloors: 2)

    /// Rooms of 3.2 by 4 m for two, a small meeting room, and a kitchen on the ground floor.
    static let thinWalls = Plan(
        north: small(4) + [Room(kind: .meeting, width: 6.4, depth: 4)] + small(4),
        south: [Room(kind: .meeting, ground: .canteen, width: 9.6, depth: 4)] + small(7),
        length: 32, corridor: 1.8, lane: 0.5...1.3, coffeePoint: 14, floorHeight: 2.8, gatewayHeight: 2.3)

    private static func small(_ count: Int) -> [Room] {
        Array(repeating: Room(kind: .smallOffice, width: 3.2, depth: 4), count: count)
    }
}
