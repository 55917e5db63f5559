import FloorPlans
import TestValues
import Testing

@testable import Localisation

@Suite("Suggested positions of receivers")
struct PlacementSearchTests {
    private func placement(
        of name: String, _ receivers: [PlacementReceiver], _ levels: [MutualLevel] = KnownFloor.levels()
    ) throws -> PlacementSuggestion.Placement {
        let suggestion = KnownFloor.suggestions(receivers, levels).first { $0.path.hasSuffix("/\(name)") }
        return try #require(suggestion?.placement)
    }

    @Test("a receiver among known ones is found inside the stated radius", arguments: ["a", "b", "d", "f", "h"])
    func found(name: String) throws {
        let placement = try placement(of: name, KnownFloor.receivers(without: [name]))
        let error = placement.position.distance(to: KnownFloor.position(name))
        #expect(error < 4 && error < placement.radius && placement.isAnchored, "\(placement)")
    }

    @Test("several receivers are found at once by each other and three known ones")
    func together() throws {
        let wanted: Set = ["b", "d", "e", "f", "h"]
        let suggestions = KnownFloor.suggestions(KnownFloor.receivers(without: wanted))
        #expect(suggestions.map(\.path) == wanted.sorted().map { "s/b/0/\($0)" })
        for suggestion in suggestions {
            let placement = try #require(suggestion.placement)
            let truth = KnownFloor.position(String(suggestion.path.suffix(1)))
            #expect(placement.position.distance(to: truth) < placement.radius, "\(suggestion)")
        }
    }

    @Test("powers of modules and offsets of receivers hardly change what is found")
    func powers() throws {
        let receivers = KnownFloor.receivers(without: ["h"])
        let levels = KnownFloor.levels(
            powers: ["s/b/0/h": 8, "s/b/0/a": -8, "s/b/0/d": 5], offsets: ["s/b/0/b": 4, "s/b/0/h": -4])
        let plain = try placement(of: "h", receivers)
        let other = try placement(of: "h", receivers, levels)
        #expect(plain.position.distance(to: other.position) < 1.5, "\(plain) \(other)")
    }

    @Test("a receiver without a module of its own is found by what it hears")
    func oneWay() throws {
        let levels = KnownFloor.levels().filter { $0.beacon != "s/b/0/b" }
        let placement = try placement(of: "b", KnownFloor.receivers(without: ["b"]), levels)
        #expect(placement.position.distance(to: KnownFloor.position("b")) < 3, "\(placement)")
    }

    @Test("nothing is suggested for a receiver that has no links")
    func unheard() {
        let levels = KnownFloor.levels().filter { $0.beacon != "s/b/0/b" && $0.receiver != "s/b/0/b" }
        let suggestions = KnownFloor.suggestions(KnownFloor.receivers(without: ["b"]), levels)
        #expect(suggestions.map(\.outcome) == [.missing(.unheard)])
    }

    @Test("one link gives no direction, so nothing is suggested")
    func singleLink() {
        let levels = KnownFloor.levels().filter { level in
            let ends = [level.beacon, level.receiver]
            return !ends.contains("s/b/0/b") || ends.contains("s/b/0/a")
        }
        let suggestions = KnownFloor.suggestions(KnownFloor.receivers(without: ["b"]), levels)
        #expect(suggestions.map(\.outcome) == [.missing(.singleLink)] && suggestions.map(\.links) == [1])
    }

    @Test("one link and the name of a room are enough, and the position is in that room")
    func claimedRoom() throws {
        let levels = KnownFloor.levels().filter { level in
            let ends = [level.beacon, level.receiver]
            return !ends.contains("s/b/0/b") || ends.contains("s/b/0/h")
        }
        var receivers = KnownFloor.receivers(without: ["b"])
        receivers[1].room = "south west"
        let placement = try placement(of: "b", receivers, levels)
        #expect(placement.room == 0 && placement.roomProbability > 0.8, "\(placement)")
        #expect(KnownFloor.plan.rooms[0].polygon.contains(placement.position))
    }

    @Test("the name of a room that the plan does not have is no evidence")
    func unknownRoom() throws {
        var receivers = KnownFloor.receivers(without: ["b"])
        let plain = try placement(of: "b", receivers)
        receivers[1].room = "cellar"
        #expect(try placement(of: "b", receivers) == plain)
    }

    @Test("without a known position on the floor the radius is large, and that is said")
    func unanchored() {
        let names = Set(KnownFloor.sites.map(\.name))
        for suggestion in KnownFloor.suggestions(KnownFloor.receivers(without: names)) {
            let placement = suggestion.placement
            #expect(placement?.isAnchored == false && (placement?.radius ?? 0) > 5, "\(suggestion)")
        }
    }

    @Test("known positions of the floor below help")
    func floors() throws {
        let plans = [KnownFloor.plan(0), KnownFloor.plan(1)]
        let all = KnownFloor.receivers(floor: 0) + KnownFloor.receivers(floor: 1)
        let levels = KnownFloor.levels(all, plans: plans)
        var receivers = all
        for index in receivers.indices where receivers[index].floor == 1 { receivers[index].position = nil }
        let suggestions = KnownFloor.suggestions(receivers, levels, plans: plans)
        #expect(suggestions.count == 8)
        for (suggestion, site) in zip(suggestions, KnownFloor.sites) {
            let placement = try #require(suggestion.placement)
            #expect(suggestion.floor == 1 && placement.isAnchored)
            #expect(placement.position.distance(to: site.position) < placement.radius, "\(suggestion)")
        }
    }

    @Test("the order of receivers and levels does not matter")
    func order() {
        var random = SeededGenerator("Placement, order")
        let receivers = KnownFloor.receivers(without: ["b", "e", "g"])
        let expected = KnownFloor.suggestions(receivers)
        let shuffled = KnownFloor.suggestions(
            receivers.shuffled(using: &random), KnownFloor.levels().shuffled(using: &random))
        #expect(shuffled == expected, random.comment)
    }

    @Test("a beacon that was heard in one minute of a hundred is no link")
    func fluke() {
        let receivers = KnownFloor.receivers(without: ["b"])
        var levels = KnownFloor.levels()
        for index in levels.indices { levels[index].minutes = 1000 }
        levels.removeAll { $0.beacon == "s/b/0/b" && $0.receiver == "s/b/0/g" }
        let expected = KnownFloor.suggestions(receivers, levels)
        levels.append(MutualLevel(beacon: "s/b/0/b", receiver: "s/b/0/g", rssi: -40, minutes: 10))
        #expect(KnownFloor.suggestions(receivers, levels) == expected)
    }

    @Test("a plan without area and floors that do not exist give no positions")
    func damaged() {
        var empty = KnownFloor.plan
        empty.outline = PlanPolygon([])
        empty.rooms = []
        let receivers = KnownFloor.receivers(without: ["b"])
        #expect(KnownFloor.suggestions(receivers, plans: [empty]).map(\.outcome) == [.missing(.noFloor)])
        #expect(KnownFloor.suggestions(receivers, plans: []).isEmpty)
    }
}
