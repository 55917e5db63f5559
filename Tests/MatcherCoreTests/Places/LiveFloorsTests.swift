import BeaconModel
import FloorPlans
import MatcherCore
import Matching
import Testing

@Suite struct LiveFloorsTests {
    private let badge = LiveHall.badge(1)

    @Test func aBadgeIsShownInItsRoomAndGoneHalfAMinuteAfterItWasLastHeard() throws {
        var hall = LiveHall()
        hall.seconds(15, [badge: (x: 12, floor: 1)])
        #expect(hall.place(badge) == .room("HB 1.0"))
        let position = try #require(hall.floors.position(of: badge))
        #expect(position.floor == "campus/hb/1" && position.probability > 0.8)
        hall.seconds(29, [:])
        #expect(hall.floors.count == 1)
        hall.seconds(4, [:])
        #expect(hall.floors.count == 0)
        #expect(hall.changes.last == .left(badge, floor: "campus/hb/1"))
        #expect(hall.warnings == [])
    }

    @Test func aNearReceiverIsExpectedToHearABeaconLouderThanAFarOne() throws {
        var hall = LiveHall()
        #expect(hall.floors.expected(ofBeaconAt: "campus/hb/1/g0", by: "campus/hb/1/g1") == nil)
        hall.seconds(15, [badge: (x: 12, floor: 1)])
        let near = try #require(hall.floors.expected(ofBeaconAt: "campus/hb/1/g0", by: "campus/hb/1/g1"))
        let far = try #require(hall.floors.expected(ofBeaconAt: "campus/hb/1/g0", by: "campus/hb/1/g2"))
        #expect(near > far)
        #expect(hall.floors.expected(ofBeaconAt: "campus/hb/1/g0", by: "campus/hb/1/none") == nil)
    }

    @Test func whoWalksToAnotherRoomIsShownThere() {
        var hall = LiveHall()
        hall.seconds(10, [badge: (x: 12, floor: 1)])
        for step in 0..<38 { hall.second([badge: (x: 12 + Double(step), floor: 1)]) }
        hall.seconds(10, [badge: (x: 50, floor: 1)])
        #expect(hall.place(badge) == .room("HB 1.2"))
    }

    @Test("Who is shown in a room of a plan is in that one, while they are heard") func rooms() throws {
        var hall = LiveHall()
        let rooms = PlanRooms([LiveHall.plan(1), LiveHall.plan(2)])
        let (own, other) = (try #require(rooms.room("hb 1.0")), try #require(rooms.room("HB 2.0")))
        hall.seconds(15, [badge: (x: 12, floor: 1)])
        let stranger = LiveHall.badge(2)
        #expect(hall.floors.shows(oneOf: [stranger, badge], in: own, heardSince: hall.now - 300))
        #expect(!hall.floors.shows(oneOf: [badge], in: other, heardSince: hall.now - 300))
        #expect(!hall.floors.shows(oneOf: [stranger], in: own, heardSince: hall.now - 300))
        #expect(!hall.floors.shows(oneOf: [badge], in: own, heardSince: hall.now + 1))
    }

    @Test func aChangeOfFloorsIsALeavingAndAnArrival() throws {
        var hall = LiveHall()
        hall.seconds(15, [badge: (x: 4, floor: 1)])
        hall.seconds(60, [badge: (x: 4, floor: 2)])
        #expect(hall.floors.position(of: badge)?.floor == "campus/hb/2")
        let left = try #require(hall.changes.firstIndex(of: .left(badge, floor: "campus/hb/1")))
        guard case .shown(let next) = hall.changes[left + 1] else {
            Issue.record("nothing follows")
            return
        }
        #expect(next.floor == "campus/hb/2")
        #expect(hall.floors.positions(on: "campus/hb/1").isEmpty)
    }

    @Test func aSecondIsProcessedWhenAllWhoSpeakHaveSaidItAndElseAfterTwoSeconds() {
        var hall = LiveHall()
        hall.seconds(6, [badge: (x: 12, floor: 1)])
        let heard = hall.floors.position(of: badge)?.heardAt
        #expect(heard == hall.now)
        // One gateway says nothing from now on: for three seconds it is waited for.
        hall.second([badge: (x: 12, floor: 1)], silent: ["campus/hb/1/g2"])
        #expect(hall.floors.position(of: badge)?.heardAt == heard)
        hall.seconds(2, [badge: (x: 12, floor: 1)], silent: ["campus/hb/1/g2"])
        #expect((hall.floors.position(of: badge)?.heardAt ?? 0) > heard ?? 0)
        hall.seconds(3, [badge: (x: 12, floor: 1)], silent: ["campus/hb/1/g2"])
        #expect(hall.floors.position(of: badge)?.heardAt == hall.now)
        #expect(hall.floors.counters.late == 0)
    }

    @Test("A receiver that has heard nobody for 5 s is not waited for, however seldom it speaks")
    func quietReceivers() {
        var hall = LiveHall()
        hall.seconds(6, [badge: (x: 12, floor: 1)])
        for _ in 0..<5 {
            hall.second([badge: (x: 12, floor: 1)], silent: ["campus/hb/1/g2"])
            hall.say("campus/hb/1/g2", [])
        }
        for _ in 0..<4 {
            hall.second([badge: (x: 12, floor: 1)], silent: ["campus/hb/1/g2"])
            #expect(hall.floors.position(of: badge)?.heardAt == hall.now)
        }
    }

    /// Lets a second begin in which all gateways say at once that they hear nobody, and one says nothing yet.
    private func hearNobodyButOne(_ hall: inout LiveHall) {
        hall.now += 1
        hall.take(hall.floors.tick(hall.now))
        for gateway in hall.positions.keys.sorted() where gateway != "campus/hb/1/g0" {
            hall.say(gateway, [], delay: 0.05)
        }
    }

    @Test("A receiver that hears somebody now and then is waited for, however late it speaks")
    func seldomHeard() {
        var hall = LiveHall()
        hall.seconds(6, [badge: (x: 12, floor: 1)])
        for part in 0..<12 {
            hearNobodyButOne(&hall)
            hall.take(hall.floors.advance(hall.now + 0.5))
            hall.say("campus/hb/1/g0", part.isMultiple(of: 4) ? [(badge, -55)] : [], delay: 0.9)
        }
        #expect(hall.floors.counters.late == 0)
        #expect(hall.floors.position(of: badge)?.heardAt == hall.now - 3)
    }

    @Test("A complete second waits a moment for receivers that hear somebody again")
    func hearingAgain() {
        var hall = LiveHall()
        hall.seconds(6, [badge: (x: 12, floor: 1)])
        for part in 0..<4 {
            hearNobodyButOne(&hall)
            // The only one that hears the badge now and then speaks last.
            hall.say("campus/hb/1/g0", part.isMultiple(of: 2) ? [] : [(badge, -55)], delay: 0.35)
            hall.take(hall.floors.advance(hall.now + 0.5))
        }
        #expect(hall.floors.counters.late == 0)
        #expect(hall.floors.position(of: badge)?.heardAt == hall.now)
    }

    @Test func whatIsLateOrComesAgainIsDroppedAndCounted() {
        var hall = LiveHall()
        hall.seconds(6, [badge: (x: 12, floor: 1)])
        let old = hall.message("campus/hb/1/g0", [(badge, -50)], number: 1_000)
        hall.seconds(4, [badge: (x: 12, floor: 1)])
        hall.take(hall.floors.handle(old, arrivedAt: hall.now))
        #expect(hall.floors.counters.late == 1)
        hall.take(hall.floors.handle(old, arrivedAt: hall.now))
        #expect(hall.floors.counters.repeated == 1)
    }

    @Test func aClockThatIsSecondsWrongIsCorrectedAndOneThatIsMinutesWrongIsNamed() {
        var hall = LiveHall()
        hall.clocks = ["campus/hb/1/g0": -3, "campus/hb/1/g1": 400]
        hall.seconds(20, [badge: (x: 12, floor: 1)])
        #expect(hall.place(badge) == .room("HB 1.0"))
        // A second is waited for that a clock seems to be behind.
        #expect((hall.floors.position(of: badge)?.heardAt ?? 0) >= hall.now - 2)
        #expect(
            hall.warnings == [.clock(receiver: "campus/hb/1/g1")]
                || hall.warnings.contains(.clock(receiver: "campus/hb/1/g1")))
        #expect(!hall.warnings.contains(.clock(receiver: "campus/hb/1/g2")))
    }

    @Test func aCopiedBadgeIsConflictingAndNotInARoom() throws {
        var hall = LiveHall()
        hall.seconds(10, [badge: (x: 10, floor: 1)])
        #expect(hall.place(badge) == .room("HB 1.0"))
        for _ in 0..<12 {
            hall.now += 1
            hall.take(hall.floors.tick(hall.now))
            hall.say("campus/hb/1/g0", [(badge, -55)])
            hall.say("campus/hb/1/g2", [(badge, -58)])
        }
        hall.seconds(1, [:])
        #expect(hall.place(badge) == .conflicting)
        #expect(hall.floors.position(of: badge)?.position == nil)
        #expect(hall.presence(on: "campus/hb/1")?.rooms.isEmpty == true)
        #expect(hall.warnings.contains(.conflicting(badge)))
        // The copy is gone: after a while the place is certain again.
        hall.seconds(60, [badge: (x: 10, floor: 1)])
        #expect(hall.place(badge) == .room("HB 1.0"))
    }

    @Test func aBadgeBetweenTwoReceiversDoesNotContradictItself() {
        var hall = LiveHall()
        hall.seconds(40, [badge: (x: 20, floor: 1)])
        #expect(hall.place(badge) != .conflicting)
        #expect(!hall.warnings.contains(.conflicting(badge)))
    }

    @Test func aFloodIsBoundedAndDisturbsNoOthers() {
        var limits = LiveLimits()
        limits.subjects = 300
        var hall = LiveHall(limits: limits)
        hall.seconds(10, [badge: (x: 12, floor: 1)])
        for round in 0..<20 {
            hall.second([badge: (x: 12, floor: 1)])
            for part in 0..<200 {
                hall.say(
                    "campus/hb/2/g0",
                    (0..<100).map { (LiveHall.badge(1000 + (round * 200 + part) * 100 + $0), -60.0) })
            }
        }
        #expect(hall.floors.count <= 300)
        #expect(hall.floors.counters.flood > 0)
        #expect(hall.place(badge) == .room("HB 1.0"))
        #expect(hall.warnings.contains(.flood(gateway: "campus/hb/2/g0")))
    }

    @Test func aGatewaySpeaksOnlyForItsOwnReceivers() {
        var hall = LiveHall()
        hall.seconds(6, [:])
        let forged = hall.message("campus/hb/1/g0", [(badge, -40)], number: 99, receiver: "campus/hb/1/g2")
        hall.take(hall.floors.handle(forged, arrivedAt: hall.now))
        #expect(hall.floors.counters.foreign == 1)
    }

    @Test func aMovedReceiverGetsANewModelOnceAMinuteAndTheFiltersStartAnew() {
        var hall = LiveHall()
        hall.seconds(10, [badge: (x: 12, floor: 1)])
        #expect(hall.orders == 1)
        hall.positions["campus/hb/1/g2"] = .init(x: 55, y: 5, z: 2)
        hall.seconds(20, [badge: (x: 12, floor: 1)])
        #expect(hall.orders == 1)
        hall.seconds(60, [badge: (x: 12, floor: 1)])
        #expect(hall.orders == 2)
        #expect(hall.place(badge) == .room("HB 1.0"))
    }

    @Test func aReceiverThatMovesAgainAndAgainIsLeftOut() {
        var hall = LiveHall()
        for round in 0..<8 {
            hall.positions["campus/hb/1/g2"] = .init(x: 50 + Double(round), y: 5, z: 2)
            hall.seconds(30, [badge: (x: 12, floor: 1)])
        }
        #expect(hall.warnings.contains(.restless(receiver: "campus/hb/1/g2")))
        #expect(hall.orders <= 6)
        #expect(hall.place(badge) == .room("HB 1.0"))
    }

    @Test func aReceiverWithoutPositionOrPlanIsNamedOnce() {
        var hall = LiveHall()
        hall.positions["campus/hb/1/g3"] = nil
        for _ in 0..<5 {
            hall.second([:])
            hall.say("campus/hb/1/g3", [])
            hall.say("campus/other/1/g1", [])
        }
        #expect(
            hall.warnings == [
                .noPosition(receiver: "campus/hb/1/g3"), .noPlan(receiver: "campus/other/1/g1"),
            ])
        #expect(hall.floors.counters.unplaced == 10)
    }

    @Test(arguments: ["exposure-notification", "ble-proximity", "further", "c19x", "herald"])
    func aStrangersPhoneIsNeverFollowed(_ kind: String) throws {
        var hall = LiveHall(policy: LivePolicy(kinds: ["badge", kind, "phone"]))
        let phone = try #require(SubjectIdentity(kind: kind, id: String(repeating: "a", count: 32)))
        for _ in 0..<10 {
            hall.second([:])
            hall.say("campus/hb/1/g0", [(phone, -50)])
        }
        #expect(hall.floors.count == 0)
        #expect(!LivePolicy(kinds: [kind]).isOn)
    }

    @Test func onlyBeaconsOfTheListedUUIDsAreFollowed() throws {
        let other = try #require(ProximityUUID("00000000-dffb-48d2-b060-d0f5a71096e0"))
        let policy = LivePolicy(kinds: ["badge"], uuids: [other])
        #expect(!policy.follows(badge))
        #expect(policy.follows(try #require(SubjectIdentity("badge:\(other)/1/2"))))
    }

    @Test func aBeaconThatHangsAtAPlaceIsNotFollowed() {
        var hall = LiveHall()
        hall.seconds(10, [badge: (x: 12, floor: 1)])
        #expect(hall.floors.setFixed([badge]) == [.left(badge, floor: "campus/hb/1")])
        hall.seconds(10, [badge: (x: 12, floor: 1)])
        #expect(hall.floors.count == 0)
    }

    @Test func roomsAddUpToThePeopleInThem() throws {
        var hall = LiveHall()
        let people = Dictionary(
            uniqueKeysWithValues: (1...9).map { (LiveHall.badge($0), (x: $0 < 7 ? 10.0 : 50.0, floor: 1)) })
        hall.seconds(15, people)
        let presence = try #require(hall.presence(on: "campus/hb/1"))
        #expect(Occupancy(presence.rooms["HB 1.0"] ?? []).expected.rounded() == 6)
        #expect(Occupancy(presence.rooms["HB 1.2"] ?? []).expected.rounded() == 3)
        #expect(Occupancy(presence.whole).expected.rounded() == 9)
    }
}
