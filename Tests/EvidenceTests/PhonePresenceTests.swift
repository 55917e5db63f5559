import Matching
import Testing

@testable import Evidence

@Suite("Where a phone can have been") struct PhonePresenceTests {
    private func stay(_ place: Int64, _ minutes: ClosedRange<Int64>, floor: String? = "a/b/1") -> PhonePresence.Stay {
        PhonePresence.Stay(
            place: place, floors: Set([floor].compactMap(\.self)), start: minutes.lowerBound * 60,
            end: minutes.upperBound * 60)
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
        // And once at a time; the same again may have become longer.
        #expect(presence.admits(stay(22, 2...4)) == false)
        #expect(presence.admits(stay(22, 3...9)) == true)
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

    @Test func `Where two floors hear a beacon, the phone was on either of them`() {
        var presence = PhonePresence([stay(1, 0...10)])
        func admits(_ floors: Set<String>) -> Bool {
            presence.admits(PhonePresence.Stay(place: 2, floors: floors, start: 300, end: 900))
        }
        #expect(admits(["a/b/2", "a/b/3"]) == false)
        #expect(admits(["a/b/1", "a/b/2"]) == true)
    }

    // Some phones made so many encounters that all phones' were left out.
    @Test func `Thousands of stays at one place and time are one, and a minute has four at most`() {
        var presence = PhonePresence()
        let count = (Int64(0)..<5000).count { presence.admits(PhonePresence.Stay(place: 1, start: $0, end: 9000)) }
        #expect(count == 1)
        let short = (Int64(9000)..<9600).count { presence.admits(PhonePresence.Stay(place: 1, start: $0, end: $0)) }
        #expect(short == 40)
    }

    @Test func `Of stays that overlap each counts from the end of the one before`() {
        func stay(_ start: Int64, _ end: Int64) -> PhonePresence.Stay { .init(place: 1, start: start, end: end) }
        var presence = PhonePresence([stay(0, 60)])
        #expect(presence.admit(stay(30, 90)) == .taken(from: 60))
        // The same again, and longer.
        #expect(presence.admit(stay(30, 100)) == .taken(from: 60))
        // It has nothing new, or ends in one that began later.
        #expect(presence.admit(stay(20, 50)) == .overlapping)
        #expect(presence.admit(stay(-20, 30)) == .overlapping)
        // Uploads of ten seconds each.
        #expect(presence.admit(stay(110, 120)) == .taken(from: 110))
        #expect(presence.admit(stay(121, 135)) == .taken(from: 125))
        #expect(presence.admit(stay(140, 150)) == .taken(from: 140))
    }

    // A stay of 600 s to 1800 s; the proof may be two minutes off. Its carrier may have left after the first of them.
    @Test(
        arguments: [
            (600, 610, "a/b/1", false), (1670, 1680, "a/b/1", true), (1670, 1679, "a/b/1", false),
            (1920, 1930, "a/b/1", true), (1921, 1930, "a/b/1", false), (0, 9000, "a/b/1", true),
            (1790, 1800, "a/b/2", false),
        ] as [(Int64, Int64, String, Bool)])
    func `A proof counts on the floor of the stay and at its end`(
        start: Int64, end: Int64, floor: String, proves: Bool
    ) throws {
        let phone = try #require(SubjectIdentity("phone:ann"))
        let stay = PhoneStay(phone: phone, beacon: "b", start: 600, end: 1800, samples: 1, distance: nil)
        let heard = HeardProof(floor: floor, start: start, end: end)
        let proof = PhoneStay.Proof(beacon: "p", start: 0, end: 9000)
        #expect(heard.proves(stay, by: proof, onFloor: "a/b/1") == proves)
    }

    // Good from 900 s to 1800 s, and heard for a second, or on and on.
    @Test(
        arguments: [
            (780, 780, 800, true), (779, 779, 800, false), (1920, 1920, 1900, true), (1921, 1921, 1900, false),
            (1700, 9000, 2040, true), (1700, 9000, 2041, false), (0, 1000, 660, true), (0, 1000, 659, false),
        ] as [(Int64, Int64, Int64, Bool)])
    func `A proof counts only when it was heard while it was good`(
        start: Int64, end: Int64, stayEnd: Int64, proves: Bool
    ) throws {
        let phone = try #require(SubjectIdentity("phone:ann"))
        let stay = PhoneStay(phone: phone, beacon: "b", start: 600, end: stayEnd, samples: 1, distance: nil)
        let heard = HeardProof(floor: "a/b/1", start: start, end: end)
        let proof = PhoneStay.Proof(beacon: "p", start: 900, end: 1800)
        #expect(heard.proves(stay, by: proof, onFloor: "a/b/1") == proves)
    }
}

extension PhonePresence {
    fileprivate mutating func admits(_ stay: Stay) -> Bool {
        if case .taken = admit(stay) { return true }
        return false
    }
}
