/// How radio goes in and into one room, by the receiver that hangs there.
struct RoomTraits: Sendable {
    /// Path-loss exponent in the room. Published rooms have 1.2 (corridors) to 3.1 (shelves).
    var exponent: Double
    /// dB by which the receiver reads more than the average one.
    var offset: Double
    /// Standard deviation of the shadowing, in dB.
    var shadowing: Double
    /// What walls and ceilings take away from each room's signals, in dB, by room.
    var walls: [Double]
    var middle: (x: Double, y: Double)
    var floor: Int

    /// - Parameter room: of the receiver.
    init(_ building: Building, room: Int, seed: UInt64) {
        var random = SplitMix(seed: seed, .room, room)
        let here = building.rooms[room]
        middle = here.middle
        floor = here.floor
        exponent =
            here.kind == .corridor
            ? random.number(in: 1.3...1.7) : min(max(2.0 + 0.35 * random.normals().0, 1.4), 2.9)
        offset = 2 * random.normals().0
        shadowing = random.number(in: 3...5)
        walls = building.rooms.indices.map { other in
            let there = building.rooms[other]
            let floors = abs(there.floor - here.floor)
            let onThisFloor = other - (there.floor - here.floor) * (building.rooms.count / building.floors)
            let count = building.walls(between: onThisFloor, and: room)
            var loss = 0.0
            // Light walls and ones of brick.
            for _ in 0..<count { loss += random.number(in: 2...8) }
            for _ in 0..<floors { loss += random.number(in: 13...20) }
            return loss
        }
    }
}
