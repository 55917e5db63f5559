import Localisation

/// The share of people's minutes in the building in which the floor and the room are right.
struct RoomShare: Equatable, Sendable {
    private(set) var minutes = 0
    private var floors = 0
    private var rooms = 0

    /// Compares where people were in the middle of each minute with their stays.
    ///
    /// A minute in which somebody is not located counts as wrong. The corridors are one room of each floor.
    mutating func add(_ stays: [[LocatedStay]], _ walks: Walks, _ building: Building) {
        let numbers = building.planRooms
        for (person, stays) in stays.enumerated() {
            for minute in 0..<walks.seconds / 60 {
                let position = walks[person, 60 * minute + 30]
                guard position.isInside else { continue }
                minutes += 1
                let middle = Double(60 * minute + 30)
                guard let stay = stays.first(where: { $0.start <= middle && middle < $0.end }) else { continue }
                guard stay.estimate.floor == building.rooms[Int(position.room)].floor else { continue }
                floors += 1
                if stay.estimate.best.room == numbers[Int(position.room)] { rooms += 1 }
            }
        }
    }

    /// From 0 to 1; `nil` if nobody was in the building.
    var floorShare: Double? { minutes == 0 ? nil : Double(floors) / Double(minutes) }
    var roomShare: Double? { minutes == 0 ? nil : Double(rooms) / Double(minutes) }
}
