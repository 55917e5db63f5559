/// Days of people who go from lecture to lecture, and mostly don't know each other.
extension Agenda {
    /// Who comes together, sits together.
    private struct Company {
        var members: Range<Int>
        var programme: Int
    }

    /// Who sits where for a while, so that nobody else does.
    private struct Seating {
        private var taken: Set<Int> = []

        /// The first of some seats side by side that are free; `nil`: there are none.
        mutating func take(_ count: Int, of seats: Int, _ random: inout SplitMix) -> Int? {
            guard count <= seats else { return nil }
            for _ in 0..<40 {
                let first = random.number(in: 0...seats - count)
                guard (first..<(first + count)).allSatisfy({ !taken.contains($0) }) else { continue }
                taken.formUnion(first..<(first + count))
                return first
            }
            return nil
        }
    }

    mutating func addStudents(_ count: Int, _ lectures: Behaviour.Lectures, _ random: inout SplitMix) {
        let periods = max(1, seconds / lectures.period)
        var companies: [Company] = []
        while people.count < count {
            let members = people.count..<min(count, people.count + random.number(in: 1...lectures.companions))
            let first = random.number(in: 0...min(2, periods - 1))
            let last = random.number(in: min(first + 1, periods - 1)...(periods - 1))
            for _ in members {
                people.append(
                    Person(
                        desk: standing(&random),
                        arrival: min(first * lectures.period + random.number(in: 0...600), seconds / 3),
                        departure: min(
                            (last + 1) * lectures.period + random.number(in: 0...900),
                            seconds - random.number(in: 60...300))))
            }
            companies.append(Company(members: members, programme: random.number(in: 0...lectures.programmes - 1)))
        }
        for period in 0..<periods { addPeriod(period * lectures.period, companies, lectures, &random) }
    }

    /// A lecture, and the break after it.
    private mutating func addPeriod(
        _ start: Int, _ companies: [Company], _ lectures: Behaviour.Lectures, _ random: inout SplitMix
    ) {
        let halls = building.rooms.indices.filter { building.rooms[$0].kind == .hall }
        let seminars = building.rooms.indices.filter { building.rooms[$0].kind == .meeting }
        let tables = building.rooms.indices.filter {
            building.rooms[$0].kind == .openPlan || building.rooms[$0].kind == .canteen
        }
        guard let hall = halls.first, let seminar = seminars.first, let table = tables.first else { return }
        func one(of rooms: [Int], _ instead: Int, _ random: inout SplitMix) -> Int {
            rooms.isEmpty ? instead : rooms[random.number(in: 0...rooms.count - 1)]
        }
        let halfHour = 1800
        let begin = start + 600
        let end = min(begin + lectures.length, seconds - 300)
        guard end - begin > halfHour else { return }
        let programmes = (0..<lectures.programmes).map { _ in one(of: halls, hall, &random) }
        var seatings = Array(repeating: Seating(), count: building.rooms.count)
        for company in companies {
            var room = programmes[company.programme]
            if random.unit() > lectures.faithfulness { room = one(of: halls, hall, &random) }
            if random.unit() < lectures.seminars { room = one(of: seminars, seminar, &random) }
            let isThere = random.unit() < lectures.attendance * min(sociability, 1.4)
            if !isThere { room = one(of: tables, table, &random) }
            let isStaying = random.unit() < lectures.staying
            let seats = building.rooms[room].seats
            let first = seatings[room].take(company.members.count, of: seats.count, &random)
            let pause = standing(&random)
            for (index, person) in company.members.enumerated() {
                let from = begin + random.number(in: -240...60)
                let until = isStaying ? end + 600 : end + random.number(in: 0...60)
                guard let first, people[person].isFree(from, until) else { continue }
                add(person, from, until, seats[first + index])
                // Beside each other, wherever they stand in the break.
                guard !isStaying, people[person].isFree(until + 60, until + 500) else { continue }
                var spot = pause
                spot.x += 0.8 * Double(index)
                add(person, until + 60, until + 500, spot)
            }
        }
    }

    /// Somewhere in a corridor.
    private func standing(_ random: inout SplitMix) -> Spot {
        Spot(
            x: random.number(in: 1...(building.plan.length - 4)),
            y: random.number(in: 0.4...(building.plan.corridor - 0.4)),
            floor: random.number(in: 0...building.floors - 1),
            facing: random.number(in: 0...6.28))
    }
}
