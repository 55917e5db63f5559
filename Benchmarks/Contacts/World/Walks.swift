import Glibc

/// Where everybody is at each second of a day.
struct Walks: Sendable {
    struct Position: Equatable, Sendable {
        /// Metres on the plan of the floor.
        var x: Float
        var y: Float
        /// Radians from the direction of x.
        var facing: Float
        /// Of the building; -1 for who isn't in it.
        var room: Int32

        static let outside = Position(x: 0, y: 0, facing: 0, room: -1)

        var isInside: Bool { room >= 0 }
    }

    let people: Int
    let seconds: Int
    private var positions: [Position]

    /// - Parameter position: of a person at a second.
    init(people: Int, seconds: Int, _ position: (_ person: Int, _ second: Int) -> Position) {
        self.people = people
        self.seconds = seconds
        positions = []
        positions.reserveCapacity(people * seconds)
        for second in 0..<seconds { for person in 0..<people { positions.append(position(person, second)) } }
    }

    init(_ agenda: Agenda, in building: Building, seconds: Int, seed: UInt64) {
        people = agenda.people.count
        self.seconds = seconds
        positions = Array(repeating: .outside, count: people * seconds)
        for person in agenda.people.indices {
            var walker = Walker(agenda.people[person], building, SplitMix(seed: seed, .walk, person))
            for second in agenda.people[person].arrival..<seconds {
                positions[second * people + person] = walker.next(at: second)
            }
        }
    }

    /// Outside before and after the day.
    subscript(person: Int, second: Int) -> Position {
        guard (0..<seconds).contains(second) else { return .outside }
        return positions[second * people + person]
    }

    /// Everybody at a second.
    func everybody(at second: Int) -> ArraySlice<Position> {
        positions[(second * people)..<((second + 1) * people)]
    }
}
