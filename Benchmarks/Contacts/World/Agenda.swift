import Glibc

/// What everybody does in a day: who is where, from when to when. Whoever does nothing in particular sits at the desk.
struct Agenda: Sendable {
    struct Activity: Sendable {
        /// When one sets off to it, in seconds since the building opened.
        var start: Int
        /// When one sets off from it.
        var end: Int
        var spot: Spot
    }

    struct Person: Sendable {
        var desk: Spot
        var arrival: Int
        var departure: Int
        /// In order, apart from each other.
        var activities: [Activity] = []

        func isFree(_ start: Int, _ end: Int) -> Bool {
            start >= arrival + 60 && end <= departure - 60
                && activities.allSatisfy { $0.end + 60 <= start || end + 60 <= $0.start }
        }
    }

    var people: [Person] = []
    let building: Building
    let seconds: Int
    private let behaviour: Behaviour
    /// How often people meet beside what is usual, from 0.
    let sociability: Double

    /// - Parameters:
    ///   - seconds: for how long the building is open.
    ///   - isSpread: people sit at desks all over the building, not at the first ones.
    init(
        _ building: Building, _ behaviour: Behaviour = Behaviour(), people count: Int, seconds: Int,
        sociability: Double = 1, isSpread: Bool = false, _ random: inout SplitMix
    ) {
        self.building = building
        self.behaviour = behaviour
        self.seconds = seconds
        self.sociability = sociability
        if let lectures = behaviour.lectures {
            addStudents(count, lectures, &random)
            addTalks(&random)
            sort()
            return
        }
        let share = seconds / 12
        let desks = building.desks
        for person in 0..<min(count, desks.count) {
            let desk = desks[isSpread ? person * desks.count / count : person]
            // Nobody's chair is exactly where the plan has it.
            var spot = desk
            spot.x += random.number(in: -0.3...0.3)
            spot.y += random.number(in: -0.3...0.3)
            people.append(
                Person(
                    desk: spot, arrival: random.number(in: 0...share),
                    departure: seconds - random.number(in: 60...share)))
        }
        addMeetings(&random)
        addLunches(&random)
        addVisits(&random)
        addTalks(&random)
        addErrands(&random)
        sort()
    }

    private mutating func sort() {
        for index in people.indices { people[index].activities.sort { $0.start < $1.start } }
    }

    /// What is usual, as often as people are sociable.
    private func often(_ usual: Int, _ times: Double) -> Int { Int(Double(usual) * times * sociability) }

    mutating func add(_ person: Int, _ start: Int, _ end: Int, _ spot: Spot) {
        people[person].activities.append(Activity(start: start, end: end, spot: spot))
    }

    private mutating func addMeetings(_ random: inout SplitMix) {
        let teams = (people.count + behaviour.teamSize - 1) / behaviour.teamSize
        for room in building.rooms(.meeting) {
            var start = random.number(in: 900...2700)
            while start < seconds {
                let end = start + [30, 30, 45, 60, 60][random.number(in: 0...4)] * 60
                if random.unit() < behaviour.meetings * sociability {
                    let team = random.number(in: 0...max(0, teams - 1))
                    var guests = Array(people.indices.filter { $0 / behaviour.teamSize == team })
                    for _ in 0..<random.number(in: 0...3) { guests.append(random.number(in: 0...people.count - 1)) }
                    let seats = room.seats.shuffled(using: &random)
                    let invited = Set(guests).sorted().filter { people[$0].isFree(start, end) }
                    if invited.count > 1 {
                        for (guest, seat) in zip(invited, seats) {
                            add(guest, start + random.number(in: -60...120), end, seat)
                        }
                    }
                }
                start = end + random.number(in: 300...2700)
            }
        }
    }

    private mutating func addLunches(_ random: inout SplitMix) {
        guard let canteen = building.rooms(.canteen).first else { return }
        var freeFrom = Array(repeating: 0, count: canteen.seats.count)
        let noon = seconds * 2 / 5
        let spread = max(1, seconds / 6)
        let teams = (people.count + behaviour.teamSize - 1) / behaviour.teamSize
        let times = (0..<teams).map { _ in noon + random.number(in: 0...spread) }
        for team in (0..<teams).sorted(by: { times[$0] < times[$1] }) {
            var seat = random.number(in: 0...canteen.seats.count - 1)
            for person in people.indices
            where person / behaviour.teamSize == team && random.unit() < behaviour.lunch * sociability {
                let start = times[team] + random.number(in: 0...180)
                let end = start + random.number(in: 1200...2400)
                guard people[person].isFree(start, end) else { continue }
                let order = canteen.seats.indices.map { (seat + $0) % canteen.seats.count }
                guard let free = order.first(where: { freeFrom[$0] <= start }) else { continue }
                freeFrom[free] = end + 60
                seat = (free + 1) % canteen.seats.count
                add(person, start, end, canteen.seats[free])
            }
        }
    }

    /// At somebody else's desk, beside them.
    private mutating func addVisits(_ random: inout SplitMix) {
        for _ in 0..<often(people.count * seconds / 18_000, behaviour.visits) {
            let (guest, host) = (random.number(in: 0...people.count - 1), random.number(in: 0...people.count - 1))
            let start = random.number(in: 0...seconds)
            let end = start + 60 * (random.unit() < 0.5 ? random.number(in: 2...8) : random.number(in: 10...45))
            guard guest != host, people[guest].isFree(start, end), people[host].isFree(start, end) else { continue }
            var spot = people[host].desk
            add(host, start, end, spot)
            let angle = spot.facing + random.number(in: 1.2...2.2)
            let distance = random.number(in: 0.6...1.2)
            let room = building.rooms[building.room(x: spot.x, y: spot.y, floor: spot.floor)]
            spot.x = min(max(spot.x + distance * cos(angle), room.x.lowerBound + 0.3), room.x.upperBound - 0.3)
            spot.y = min(max(spot.y + distance * sin(angle), room.y.lowerBound + 0.3), room.y.upperBound - 0.3)
            spot.facing = angle + .pi
            add(guest, start, end, spot)
        }
    }

    /// Groups that stand in the corridor.
    private mutating func addTalks(_ random: inout SplitMix) {
        for _ in 0..<often(people.count * seconds / 40_000, behaviour.talks) {
            let floor = random.number(in: 0...building.floors - 1)
            let start = random.number(in: 0...seconds)
            let end = start + random.number(in: 150...900)
            let size = random.number(in: 2...5)
            var group: Set<Int> = []
            for _ in 0..<20 where group.count < size {
                let person = random.number(in: 0...people.count - 1)
                if people[person].desk.floor == floor, people[person].isFree(start, end) { group.insert(person) }
            }
            guard group.count > 1 else { continue }
            let middle = building.plan.coffeePoint + random.number(in: -4...4)
            for (index, person) in group.sorted().enumerated() {
                let angle = 2 * Double.pi * Double(index) / Double(group.count)
                add(
                    person, start, end,
                    Spot(
                        x: middle + 0.7 * cos(angle), y: building.corridorMiddle + 0.7 * sin(angle), floor: floor,
                        facing: angle + .pi))
            }
        }
    }

    /// To the printer at the corridor's end.
    private mutating func addErrands(_ random: inout SplitMix) {
        for person in people.indices {
            for _ in 0..<(1 + seconds / 9000) {
                let start = random.number(in: 0...seconds)
                let end = start + random.number(in: 90...240)
                guard people[person].isFree(start, end) else { continue }
                add(
                    person, start, end,
                    Spot(
                        x: random.number(in: (building.plan.length - 2)...(building.plan.length - 0.5)),
                        y: random.number(in: 0.4...(building.plan.corridor - 0.4)),
                        floor: people[person].desk.floor,
                        facing: random.number(in: 0...6.28)))
            }
        }
    }
}
