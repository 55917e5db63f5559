/// How radio goes in and into one room, by the receiver that hangs there.
struct RoomTraits: Sendable {
    /// Of the whole building.
    let radio: RadioConstants
    /// Path-loss exponent in the room.
    var exponent: Double
    /// dB by which the receiver reads more than the average one.
    var offset: Double
    /// Standard deviation of the shadowing that each link has for itself, in dB.
    var shadowing: Double
    /// What walls and ceilings take away from each room's signals, in dB, by room.
    var walls: [Double]
    /// By which all links from one room are stronger, in dB, by room.
    var shared: [Double]
    /// Of the receiver, in metres on the plan of the floor.
    var x: Double
    var y: Double
    var floor: Int
    /// Metres above badges on the receiver's floor, and from one floor to the next.
    var height: Double
    var floorHeight: Double

    init(
        _ building: Building, _ gateway: Building.Gateway, _ radio: RadioConstants = RadioConstants(), seed: UInt64
    ) {
        var random = SplitMix(seed: seed, .room, gateway.number)
        let here = building.rooms[gateway.room]
        self.radio = radio
        (x, y, floor) = (gateway.x, gateway.y, gateway.floor)
        (height, floorHeight) = (building.height, building.plan.floorHeight)
        exponent =
            here.kind == .corridor ? random.number(in: radio.corridorExponent) : radio.exponent.draw(&random)
        offset = radio.receiverOffset * random.normals().0
        let deviation = random.number(in: radio.shadowing)
        shadowing = deviation * (1 - radio.sharedShadowing).squareRoot()
        walls = building.rooms.indices.map { other in
            let there = building.rooms[other]
            let floors = abs(there.floor - here.floor)
            let onThisFloor = other - (there.floor - here.floor) * building.roomsPerFloor
            let count = building.walls(between: onThisFloor, and: gateway.room)
            var loss = 0.0
            for _ in 0..<count { loss += random.number(in: radio.wall) }
            for _ in 0..<floors { loss += random.number(in: radio.ceiling) }
            return loss
        }
        shared = building.rooms.indices.map { _ in
            deviation * radio.sharedShadowing.squareRoot() * random.normals().0
        }
    }
}
