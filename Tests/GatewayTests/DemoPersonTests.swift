import Testing

@testable import Gateway

@Suite struct DemoPersonTests {
    /// Half an hour before the demonstration, and an hour of it, in steps of a fifth of a second.
    private static let times = (-9000..<18_000).map { Double($0) / 5 }

    @Test("People are in rooms, and go from one to another through doors")
    func doors() {
        for person in DemoPerson.all() {
            var last: (room: String, point: DemoFloor.Point)?
            for time in Self.times {
                // The beginning of the demonstration is another round.
                if time == 0 { last = nil }
                guard let point = person.position(at: time) else {
                    last = nil
                    continue
                }
                let rooms = DemoFloor.rooms.filter { $0.contains(point) }
                guard let room = rooms.first(where: { $0.name == last?.room }) ?? rooms.first else {
                    Issue.record("badge \(person.number) is in no room at \(time) s")
                    return
                }
                if let last, last.room != room.name {
                    let isAtDoor = DemoFloor.rooms.contains { $0.door.distance(to: point) <= DemoFloor.doorWidth / 2 }
                    #expect(isAtDoor, "badge \(person.number) goes through a wall at \(time) s")
                }
                last = (room.name, point)
            }
        }
    }

    @Test("Nobody is faster than somebody who walks")
    func speed() {
        for person in DemoPerson.all() {
            for (before, after) in zip(Self.times, Self.times.dropFirst()) where after != 0 {
                guard let from = person.position(at: before), let to = person.position(at: after) else { continue }
                #expect(from.distance(to: to) < 0.25, "badge \(person.number) at \(after) s")
            }
        }
    }

    @Test("One person leaves the building and comes back")
    func outside() {
        let people = DemoPerson.all()
        let isInside = Self.times.map { time in people.map { $0.position(at: max(0, time)) != nil } }
        let leavers = people.indices.filter { index in isInside.contains { !$0[index] } }
        #expect(leavers == [6])
        #expect(isInside.first?[6] == true && isInside.last?.count == 8)
    }

    @Test("In the hour before, badges 1, 3 and 4 meet for half an hour, and badge 7 is in another room")
    func meeting() {
        let people = DemoPerson.all()
        func room(_ index: Int, _ time: Double) -> String? {
            people[index].position(at: time).flatMap { point in
                DemoFloor.rooms.first { $0.contains(point) }?.name
            }
        }
        for minute in 1...30 {
            let time = Double(-minute) * 60
            #expect([0, 2, 3].allSatisfy { room($0, time) == "Seminar room" }, "minute \(minute)")
            #expect(room(6, time) == "Laboratory")
        }
    }

    @Test("The same seed gives the same walks, and another seed other ones")
    func seeds() {
        func walks(_ seed: UInt64) -> [DemoFloor.Point?] {
            DemoPerson.all(seed: seed).flatMap { person in (0..<60).map { person.position(at: Double($0) * 10) } }
        }
        #expect(walks(3) == walks(3))
        #expect(walks(3) != walks(4))
    }
}
