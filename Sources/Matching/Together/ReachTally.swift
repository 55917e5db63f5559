/// How many receivers are in reach of badges, floor by floor: where there are too few, nobody can tell who was with whom.
package struct ReachTally: Equatable, Sendable {
    /// By the floor's number.
    package private(set) var floors: [Int64: Floor] = [:]

    package struct Floor: Equatable, Sendable {
        /// Minutes of badges with 1, 2, 3, and 4 or more receivers of the floor in reach.
        package var minutes: [Int] = [0, 0, 0, 0]
        /// By the receiver that heard a badge loudest: all minutes, and those with fewer than 3 receivers in reach.
        package var loudest: [Int64: Loudest] = [:]

        package init() {}
    }

    package struct Loudest: Equatable, Sendable {
        package var minutes: Int
        package var thin: Int

        package init(minutes: Int = 0, thin: Int = 0) {
            self.minutes = minutes
            self.thin = thin
        }
    }

    /// Fewer receivers in reach say little.
    package static let enough = 3

    package init() {}

    package mutating func add(_ vector: MinuteVector, _ floors: ListeningFloors) {
        guard let direction = AmplitudeVector(vector, floors) else { return }
        let count = vector.hearings.count { floors.place(of: $0.receiver)?.floor == direction.floor }
        guard count > 0 else { return }
        var floor = self.floors[direction.floor] ?? Floor()
        floor.minutes[min(count, floor.minutes.count) - 1] += 1
        floor.loudest[direction.loudestOfFloor, default: Loudest()].minutes += 1
        if count < Self.enough { floor.loudest[direction.loudestOfFloor, default: Loudest()].thin += 1 }
        self.floors[direction.floor] = floor
    }
}
