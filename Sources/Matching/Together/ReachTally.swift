/// Number of receivers in reach of badges, by floor. Where there are too few, contacts cannot be determined.
package struct ReachTally: Equatable, Sendable {
    /// Counts by floor number.
    package private(set) var floors: [Int64: Floor] = [:]

    package struct Floor: Equatable, Sendable {
        /// Badge minutes with 1, 2, 3, and 4 or more receivers of the floor in reach.
        package var minutes: [Int] = [0, 0, 0, 0]
        /// Badge minutes by the loudest receiver: all, and those with fewer than 3 receivers in reach.
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

    /// Minimum number of receivers in reach for meaningful results.
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
