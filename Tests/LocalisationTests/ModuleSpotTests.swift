import FloorPlans
import Testing

@testable import Localisation

@Suite("Modules as spots of a survey")
struct ModuleSpotTests {
    private static let sites = (0..<4).map {
        ReceiverSite(path: "s/b/0/g\($0)", floor: 0, position: PlanPoint(x: Double($0), y: 1))
    }

    private static func levels(of beacon: String, at receivers: [Int]) -> [MutualLevel] {
        receivers.map { MutualLevel(beacon: beacon, receiver: "s/b/0/g\($0)", rssi: -60 - Double($0), minutes: 30) }
    }

    private static func spots(_ levels: [MutualLevel]) -> [SurveySpot] {
        SurveySpot.ofModules(at: sites, TwoRooms.model.plans, levels: levels, now: 7)
    }

    @Test("a module is a spot where its receiver hangs, with the levels of all who hear it")
    func spot() throws {
        let spot = try #require(Self.spots(Self.levels(of: "s/b/0/g0", at: [1, 2, 3])).first)
        #expect(spot.module == "s/b/0/g0" && spot.floor == "s/b/0" && spot.startedAt == 7)
        #expect(spot.position == PlanPoint(x: 0, y: 1))
        #expect(spot.signals.map(\.receiver) == ["s/b/0/g1", "s/b/0/g2", "s/b/0/g3"])
        #expect(spot.signals.map(\.rssi) == [-61, -62, -63])
    }

    @Test("a module that fewer than three others hear is no spot, and its own receiver does not count")
    func few() {
        #expect(Self.spots(Self.levels(of: "s/b/0/g0", at: [0, 1, 2])).isEmpty)
    }

    @Test("modules and receivers without a position are ignored")
    func unknown() {
        #expect(Self.spots(Self.levels(of: "s/b/0/x", at: [1, 2, 3])).isEmpty)
        let levels = Self.levels(of: "s/b/0/g0", at: [1, 2, 3, 9])
        #expect(Self.spots(levels).first?.signals.count == 3)
    }

    @Test("a badge that somebody carries is no module")
    func badge() {
        let spot = SurveySpot(
            badge: "e2c56db5-dffb-48d2-b060-d0f5a71096e0/1/2", floor: "s/b/0", position: PlanPoint(x: 0, y: 0),
            startedAt: 0, length: 30, signals: [])
        #expect(spot.module == nil)
    }

    @Test("minutes become few readings, in which who hears seldom still counts once")
    func shares() throws {
        let minutes = [1, 5, 60]
        let levels = minutes.indices.map {
            MutualLevel(beacon: "s/b/0/g0", receiver: "s/b/0/g\($0 + 1)", rssi: -60, minutes: minutes[$0])
        }
        #expect(try #require(Self.spots(levels).first).signals.map(\.seconds) == [1, 1, 20])
    }
}
