import Testing

@testable import ContactsBenchmark

@Suite("The truth of contacts") struct ContactTruthTests {
    private let building = Building(people: 20)

    /// In the office of room 1, whose gateway hangs over (3, 5.4), 1.25 m above badges.
    private func inOffice(x: Float) -> Walks.Position { .init(x: x, y: 5.4, facing: 0, room: 1) }

    private func truth(
        seconds: Int, _ position: (_ person: Int, _ second: Int) -> Walks.Position
    ) -> ContactTruth {
        ContactTruth(Walks(people: 4, seconds: seconds, position), building)
    }

    // At 3.0, 4.5, 5.8 and, in the next room, 6.2 m: 1.5 m, 2.8 m and 3.2 m from the first, 1.3 m from the second to the
    // third. From the beacon they are 1.25, 1.95, 3.07 and 3.44 m away, so only the first two are within 3 m of it.
    @Test func `Distances in one room count by the second`() {
        let truth = truth(seconds: 400) { person, second in
            let place: [Float] = [3, 4.5, 5.8, 6.2]
            if person == 3 { return .init(x: place[3], y: 5.4, facing: 0, room: 2) }
            return second < 100 || person < 2 ? inOffice(x: place[person]) : .outside
        }
        #expect(truth[0, 1] == .init(within2m: 400, within6m: 400, atOneBeacon: 400, apartAtOneBeacon: 0))
        #expect(truth[0, 2] == .init(within2m: 0, within6m: 100, atOneBeacon: 0, apartAtOneBeacon: nil))
        #expect(truth[2, 1] == .init(within2m: 100, within6m: 100, atOneBeacon: 0, apartAtOneBeacon: nil))
    }

    // 6.2 m and 5.8 m along the wall are 0.4 m, with the wall between them.
    @Test func `A wall keeps two apart who are near each other`() {
        let truth = truth(seconds: 60) { person, _ in
            switch person {
            case 0: inOffice(x: 5.8)
            case 1: .init(x: 6.2, y: 5.4, facing: 0, room: 2)
            default: .outside
            }
        }
        #expect(truth[0, 1] == .init())
    }

    // One is at the beacon in the seconds 0 to 99; the other comes in second 399 and the third in second 400.
    @Test func `Who comes to the beacon 300 s after another has left is near the same beacon soon, and 301 s isn't`() {
        let truth = truth(seconds: 450) { person, second in
            let times = [0..<100, 399..<410, 400..<410, 0..<0]
            return times[person].contains(second) ? inOffice(x: 3) : .outside
        }
        #expect(truth[0, 1].apartAtOneBeacon == 300)
        #expect(truth[0, 2].apartAtOneBeacon == 301)
        #expect(Question.sameBeaconSoon.isContact(truth[0, 1]))
        #expect(!Question.sameBeaconSoon.isContact(truth[0, 2]))
    }

    // 299 and 300 s within 6 m, 1799 and 1800 s within 2 m.
    @Test func `A contact begins with its last minute's last second`() {
        #expect(!Question.sixMetresFive.isContact(.init(within6m: 299)))
        #expect(Question.sixMetresFive.isContact(.init(within6m: 300)))
        #expect(!Question.twoMetresThirty.isContact(.init(within2m: 1799, within6m: 9000)))
        #expect(Question.twoMetresThirty.isContact(.init(within2m: 1800)))
    }
}
