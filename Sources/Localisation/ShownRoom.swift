/// What people are shown of where a subject is. It is held, so that nobody who sits still seems to walk.
///
/// A room is said only if its probability is at least one half. Another room is taken when its probability is high for
/// long enough: for 2 s while the subject moves, else for minutes and higher: at rest the only change is that the first
/// answer was wrong.
package struct ShownRoom: Equatable, Sendable {
    /// The place that is shown now; `nil` before the first estimate.
    package private(set) var place: Place?
    /// Room that was last said, with its floor.
    private var held: RoomKey?
    /// Room that may follow, and since when it is probable enough.
    private var next: (room: RoomKey, since: Double)?

    /// What can be said of a subject's place.
    package enum Place: Equatable, Sendable {
        /// In a room; `nil` is the floor between rooms.
        case room(floor: Int, room: Int?)
        /// Near the border of two rooms.
        case between(floor: Int, rooms: [Int?])
        /// Somewhere on a floor.
        case floor(Int)
    }

    private struct RoomKey: Equatable {
        var floor: Int
        var room: Int?
    }

    /// Probability from which a room is said.
    package static let leastSaid = 0.5
    private static let leastNext = 0.6
    private static let leastNextAtRest = 0.95
    /// Time for which another room must be probable, in seconds.
    private static let hold = 2.0
    private static let holdAtRest = 900.0
    /// Sum of two rooms' probabilities from which their border is said.
    private static let leastBetween = 0.7

    package init() {}

    package static func == (left: ShownRoom, right: ShownRoom) -> Bool {
        left.place == right.place && left.held == right.held && left.next?.room == right.next?.room
            && left.next?.since == right.next?.since
    }

    /// Takes an estimate, and returns what is shown.
    ///
    /// - Parameters:
    ///   - time: time of the estimate in seconds; not before the last one.
    ///   - isAtRest: whether the subject has not moved lately.
    package mutating func update(_ estimate: Estimate, time: Double, isAtRest: Bool) -> Place {
        let best = RoomKey(floor: estimate.floor, room: estimate.best.room)
        let probability = estimate.best.probability
        if best == held {
            next = nil
        } else if held == nil {
            if probability >= Self.leastSaid { held = best }
        } else if probability > (isAtRest ? Self.leastNextAtRest : Self.leastNext) {
            if next?.room != best { next = (best, time) }
            if let next, time - next.since >= (isAtRest ? Self.holdAtRest : Self.hold) {
                held = best
                self.next = nil
            }
        } else {
            next = nil
        }
        let place = place(of: estimate)
        self.place = place
        return place
    }

    private func place(of estimate: Estimate) -> Place {
        if let held, held.floor == estimate.floor {
            let probability = estimate.rooms.first { $0.room == held.room }?.probability ?? 0
            if probability >= Self.leastSaid { return .room(floor: held.floor, room: held.room) }
        }
        let leading = estimate.rooms.prefix(2)
        if leading.count == 2, leading.reduce(0, { $0 + $1.probability }) >= Self.leastBetween {
            return .between(floor: estimate.floor, rooms: leading.map(\.room))
        }
        return .floor(estimate.floor)
    }
}
