import Matching
import Testing

@testable import InteractionStore

@Suite("Where a phone can have been") struct PhonePresenceTests {
    private func stay(_ place: Int64, _ minutes: ClosedRange<Int64>, floor: String? = "a/b/1") -> PhonePresence.Stay {
        PhonePresence.Stay(place: place, floor: floor, start: minutes.lowerBound * 60, end: minutes.upperBound * 60)
    }

    @Test func `At eight places at once, and at any number after each other`() {
        var presence = PhonePresence([stay(0, 0...30)])
        // Past nine beacons, while one is heard throughout.
        for place in 1...9 {
            #expect(presence.admits(stay(Int64(place), Int64(place) * 3...Int64(place) * 3 + 1)) == true)
        }
        for place in 21...26 { #expect(presence.admits(stay(Int64(place), 3...4)) == true, "\(place)") }
        #expect(presence.admits(stay(27, 4...4)) == false)
        #expect(presence.admits(stay(27, 5...5)) == true)
        // A place counts once.
        #expect(presence.admits(stay(21, 4...10)) == true)
        // What was refused isn't remembered.
        #expect(presence.admits(stay(22, 2...4)) == true)
    }

    @Test func `On one floor at once, as far as floors are known`() {
        var presence = PhonePresence([stay(1, 0...10)])
        #expect(presence.admits(stay(2, 10...20, floor: "a/b/2")) == false)
        #expect(presence.admits(stay(2, 11...20, floor: "a/b/2")) == true)
        #expect(presence.admits(stay(3, 5...15, floor: nil)) == true)
        #expect(presence.admits(stay(4, 12...13)) == false)
        // The same again, and longer.
        #expect(presence.admits(stay(1, 0...10)) == true)
    }

    @Test func `Thousands of stays at once are no phone's`() {
        var presence = PhonePresence()
        let count = (Int64(0)..<5000).count { presence.admits(PhonePresence.Stay(place: 1, start: $0, end: 9000)) }
        #expect(count == PhonePresence.mostStays + 1)
        #expect(presence.admits(PhonePresence.Stay(place: 1, start: 9001, end: 9002)) == true)
    }

    // A stay of 600 s to 1800 s; the proof may be two minutes off.
    @Test(
        arguments: [
            (600, 610, "a/b/1", true), (470, 480, "a/b/1", true), (470, 479, "a/b/1", false),
            (1920, 1930, "a/b/1", true), (1921, 1930, "a/b/1", false), (0, 9000, "a/b/1", true),
            (600, 610, "a/b/2", false),
        ] as [(Int64, Int64, String, Bool)])
    func `A proof counts on the floor and at the time of the stay`(
        start: Int64, end: Int64, floor: String, proves: Bool
    ) throws {
        let phone = try #require(SubjectIdentity("phone:ann"))
        let stay = PhoneStay(phone: phone, beacon: "b", start: 600, end: 1800, samples: 1, distance: nil)
        let heard = HeardProof(floor: floor, start: start, end: end)
        #expect(heard.proves(stay, onFloor: "a/b/1") == proves)
        // Nobody has said where the beacon hangs.
        #expect(heard.proves(stay, onFloor: nil) == (proves || floor == "a/b/2"))
    }
}
