import BeaconModel
import FloorPlans
import MatcherCore
import Matching
import Testing

@Suite("What is heard of floors with live positions") struct LiveHearingTests {
    private let badge = LiveHall.badge(1)
    private let floor = "campus/hb/1"

    @Test func beforeThereIsAModelNothingIsSaid() {
        var hall = LiveHall()
        #expect(hall.presence(on: floor) == nil)
        hall.seconds(1, [badge: (x: 10, floor: 1)])
        #expect(hall.presence(on: floor) == nil)
        #expect(!hall.floors.isHeard(floor, now: hall.now))
    }

    @Test func aFloorIsHeardSomeSecondsAfterItsFirstModel() throws {
        var hall = LiveHall()
        hall.seconds(8, [:])
        #expect(try #require(hall.presence(on: floor)).isHeard == false)
        hall.seconds(12, [:])
        let presence = try #require(hall.presence(on: floor))
        #expect(presence.isHeard && presence.heardRooms == ["HB 1.0", "HB 1.1", "HB 1.2"])
        #expect(hall.floors.isHeard(floor, now: hall.now))
    }

    @Test func aRoomWhoseReceiverIsDeafIsNotHeard() throws {
        var hall = LiveHall()
        hall.seconds(30, [:])
        for _ in 0..<20 {
            hall.second([:], silent: ["campus/hb/1/g1"])
            hall.say("campus/hb/1/g1", [], listened: 0)
        }
        let presence = try #require(hall.presence(on: floor))
        #expect(!presence.isHeard && presence.heardRooms == ["HB 1.0", "HB 1.2"])
        #expect(hall.floors.receivers(on: floor, since: hall.now - 15).map(\.isHeard) == [true, false, true])
    }

    @Test func aRoomWhoseReceiverIsSilentIsNotHeard() throws {
        var hall = LiveHall()
        hall.seconds(30, [:])
        hall.seconds(20, [:], silent: ["campus/hb/1/g2"])
        let presence = try #require(hall.presence(on: floor))
        #expect(!presence.isHeard && presence.heardRooms == ["HB 1.0", "HB 1.1"])
    }

    @Test func aRoomWithoutReceiversIsHeardByTheNearest() throws {
        var hall = LiveHall()
        hall.positions["campus/hb/1/g1"] = nil
        hall.seconds(30, [:])
        #expect(try #require(hall.presence(on: floor)).isHeard)
        hall.seconds(20, [:], silent: ["campus/hb/1/g0", "campus/hb/1/g2"])
        #expect(hall.presence(on: floor) == nil)
    }

    @Test func peopleAreCountedWhileAnotherModelTakesOver() throws {
        var hall = LiveHall()
        hall.seconds(30, [badge: (x: 12, floor: 1)])
        hall.positions["campus/hb/1/g2"] = .init(x: 55, y: 5, z: 2)
        for _ in 0..<100 {
            hall.second([badge: (x: 12, floor: 1)])
            let presence = try #require(hall.presence(on: floor))
            #expect(presence.whole.count == 1)
        }
        #expect(hall.orders == 2)
    }

    @Test func aGatewayWithTooManyReceiversSilencesNoOthers() {
        var hall = LiveHall()
        hall.seconds(6, [:])
        for number in 0..<200 {
            hall.say("campus/hb/2/g0", [], receiver: "campus/hb/2/g0/x\(number)")
            if number.isMultiple(of: 50) { hall.second([:]) }
        }
        #expect(hall.floors.receivers(on: "campus/hb/2", since: 0).count <= 129 + 2)
        #expect(hall.warnings.contains(.tooManyReceivers(gateway: "campus/hb/2/g0")))
        hall.say("campus/hb/1/new", [])
        #expect(hall.warnings.contains(.noPosition(receiver: "campus/hb/1/new")))
    }

    @Test func aReceiverThatIsGoneForAnHourMakesRoomForAnother() {
        var hall = LiveHall()
        for number in 0..<129 {
            hall.now += 0.1
            hall.say("campus/hb/2/g9", [], receiver: "campus/hb/2/g9/x\(number)")
        }
        hall.now += 3700
        hall.say("campus/hb/2/g9", [], receiver: "campus/hb/2/g9/new")
        let paths = hall.floors.receivers(on: "campus/hb/2", since: 0).map(\.path)
        #expect(paths.contains("campus/hb/2/g9/new") && paths.count == 129)
    }

    @Test func aModelThatCouldNotBeBuiltIsOrderedAgain() throws {
        var hall = LiveHall()
        hall.isBuilding = false
        hall.seconds(5, [:])
        let order = try #require(hall.order)
        #expect(hall.orders == 1)
        hall.seconds(200, [:])
        #expect(hall.orders == 1)
        hall.floors.abandon(order)
        hall.seconds(5, [:])
        #expect(hall.orders == 2)
    }

    @Test func aSubjectThatIsRemovedIsFollowedAnew() throws {
        var hall = LiveHall()
        hall.seconds(20, [badge: (x: 12, floor: 1)])
        let first = try #require(hall.floors.followed[badge])
        #expect(hall.floors.remove(badge) == [.left(badge, floor: floor)])
        #expect(hall.floors.followed.isEmpty)
        hall.seconds(5, [badge: (x: 12, floor: 1)])
        #expect(try #require(hall.floors.followed[badge]) > first)
    }

    @Test func aReceiverThatSpeaksComesBeforeThoseOfTheStore() {
        var hall = LiveHall()
        hall.floors.setPositions((0..<200).map { ("campus/hb/2/g9/old\($0)", .init(x: 1, y: 1, z: 2), nil) })
        #expect(hall.floors.receivers(on: "campus/hb/2", since: 0).count == 129)
        hall.say("campus/hb/2/g9", [], receiver: "campus/hb/2/g9/z")
        #expect(hall.floors.receivers(on: "campus/hb/2", since: 0).contains { $0.path == "campus/hb/2/g9/z" })
        #expect(hall.warnings.allSatisfy { $0 != .tooManyReceivers(gateway: "campus/hb/2/g9") })
    }

    @Test func aFloorKnowsWhenAReceiverSpokeLast() {
        var hall = LiveHall()
        #expect(hall.floors.spokeAt(on: floor) == nil)
        hall.say("campus/hb/1/g0", [])
        let spoke = hall.floors.spokeAt(on: floor)
        #expect(spoke != nil)
        hall.now += 60
        hall.say("campus/hb/2/g0", [])
        #expect(hall.floors.spokeAt(on: floor) == spoke)
    }

    @Test func aFloorWhoseReceiversComeBackIsHeardSomeSecondsLater() throws {
        var hall = LiveHall()
        hall.seconds(30, [:])
        hall.now += 60
        hall.seconds(5, [:])
        #expect(try #require(hall.presence(on: floor)).isHeard == false)
        hall.seconds(10, [:])
        #expect(try #require(hall.presence(on: floor)).isHeard)
    }
}
