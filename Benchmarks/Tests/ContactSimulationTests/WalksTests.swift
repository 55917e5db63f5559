import Glibc
import Testing

@testable import ContactsBenchmark

/// Seed 7.
@Suite("People who walk") struct WalksTests {
    private static let seconds = 7200
    private let building = Building(people: 60)
    private let agenda: Agenda
    private let walks: Walks

    init() {
        var random = SplitMix(seed: 7)
        agenda = Agenda(building, people: 60, seconds: Self.seconds, &random)
        walks = Walks(agenda, in: building, seconds: Self.seconds, seed: 7)
    }

    // 1.2 m/s and a tenth more, and who sits shifts by 0.12 m in each direction: 1.32 + 2 * 0.17.
    @Test func `Nobody is faster than people walk`() {
        var fastest = 0.0
        for person in 0..<60 {
            for second in 1..<Self.seconds {
                let (before, now) = (walks[person, second - 1], walks[person, second])
                guard before.isInside, now.isInside else { continue }
                fastest = max(fastest, hypot(Double(now.x - before.x), Double(now.y - before.y)))
            }
        }
        #expect(fastest > 1.2 && fastest < 1.67)
    }

    @Test func `Everybody comes, and has left when the building closes`() {
        for person in 0..<60 {
            let present = (0..<Self.seconds).count { walks[person, $0].isInside }
            #expect(present > Self.seconds / 2)
            #expect(!walks[person, Self.seconds].isInside)
        }
    }

    // The longest way is over three floors: 90 m and 54 s of stairs, 130 s.
    @Test func `Who has something to do is there after the way to it`() {
        var checked = 0
        for (person, day) in agenda.people.enumerated() {
            for activity in day.activities where activity.end - activity.start > 200 {
                let position = walks[person, activity.end - 1]
                #expect(hypot(Double(position.x) - activity.spot.x, Double(position.y) - activity.spot.y) < 0.2)
                checked += 1
            }
        }
        #expect(checked > 50)
    }

    @Test func `The corridor is a wall away from a room, the next room too, and the room across the corridor two`() {
        #expect(building.walls(between: 1, and: 1) == 0)
        #expect(building.walls(between: 0, and: 1) == 1)
        #expect(building.walls(between: 1, and: 2) == 1)
        #expect(building.walls(between: 1, and: 4) == 3)
        #expect(building.walls(between: 2, and: 6) == 2)
    }
}

/// Seed 7, 60 people for four hours.
@Suite("People in other worlds") struct OtherWalksTests {
    private static let seconds = 14_400

    private static func walks(_ name: World.Name) -> (agenda: Agenda, walks: Walks) {
        let world = World(name)
        let building = Building(
            world.plan, desks: world.behaviour.lectures == nil ? 60 : 0, floors: world.plan.leastFloors)
        var random = SplitMix(seed: 7)
        let agenda = Agenda(building, world.behaviour, people: 60, seconds: seconds, &random)
        return (agenda, Walks(agenda, in: building, seconds: seconds, seed: 7))
    }

    @Test(arguments: [World.Name.halls, .thinWalls]) func `Everybody comes, walks, and has left at the end`(
        world: World.Name
    ) {
        let (agenda, walks) = Self.walks(world)
        #expect(agenda.people.count == 60)
        var fastest = 0.0
        for person in 0..<60 {
            var present = 0
            for second in 1..<Self.seconds {
                let (before, now) = (walks[person, second - 1], walks[person, second])
                if now.isInside { present += 1 }
                guard before.isInside, now.isInside else { continue }
                fastest = max(fastest, hypot(Double(now.x - before.x), Double(now.y - before.y)))
            }
            #expect(present > Self.seconds / 10)
            #expect(!walks[person, Self.seconds - 1].isInside)
        }
        #expect(fastest > 1.2 && fastest < 1.67)
    }

    // Companions sit 0.7 m apart, and so do strangers by chance; nobody shares a seat.
    @Test func `In lectures no two sit on one seat`() {
        let (agenda, _) = Self.walks(.halls)
        var seats = 0
        for (person, day) in agenda.people.enumerated() {
            for activity in day.activities where activity.end - activity.start > 3600 {
                seats += 1
                for (other, theirs) in agenda.people.enumerated() where other > person {
                    for its in theirs.activities
                    where its.start < activity.end - 1200 && activity.start < its.end - 1200 {
                        #expect(its.spot != activity.spot)
                    }
                }
            }
        }
        #expect(seats > 60)
    }
}
