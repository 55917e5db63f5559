import BeaconModel
import FloorPlans
import Localisation
import RealModule
import Testing

@testable import MatcherCore

@Suite("A night's look at the receivers") struct ReceiverNightTests {
    private static let plan = FloorPlan(
        site: "s", building: "b", floor: "0",
        outline: PlanPolygon([
            PlanPoint(x: 0, y: 0), PlanPoint(x: 30, y: 0), PlanPoint(x: 30, y: 20), PlanPoint(x: 0, y: 20),
        ]))

    /// Receivers in a grid; the positions that they state are those where they hang, but for one that was moved.
    private static func positions(
        moved: Bool, at movedAt: Int64? = nil
    ) -> [(path: String, position: Place.Position?, movedAt: Int64?)] {
        (0..<9).map { index in
            let (x, y) = (5 + 10 * Double(index % 3), 3 + 7 * Double(index / 3))
            let position = Place.Position(x: index == 0 && moved ? 25 : x, y: index == 0 && moved ? 17 : y, z: 2)
            return ("s/b/0/g\(index)", position, index == 0 ? movedAt : nil)
        }
    }

    /// What receivers hear of each other where they hang.
    private static func levels(offset: Double) -> [MutualLevel] {
        let sites = positions(moved: false)
        return sites.indices.flatMap { beacon in
            sites.indices.filter { $0 != beacon }.map { receiver in
                let (one, two) = (sites[beacon].position!, sites[receiver].position!)
                let distance = ((one.x - two.x) * (one.x - two.x) + (one.y - two.y) * (one.y - two.y)).squareRoot()
                return MutualLevel(
                    beacon: sites[beacon].path, receiver: sites[receiver].path,
                    rssi: -59 - 17 * .log10(max(1, distance)) + (receiver == 4 ? offset : 0), minutes: 100)
            }
        }
    }

    private static func night(
        _ positions: [(path: String, position: Place.Position?, movedAt: Int64?)], offset: Double = 0
    ) -> ReceiverNight {
        ReceiverNight([plan], positions, since: 5, levels: levels(offset: offset), now: 9)
    }

    @Test func `A receiver that was moved without telling is named, and no offset is learnt from it`() throws {
        let night = Self.night(Self.positions(moved: true))
        #expect(night.disagreements.map(\.path) == ["s/b/0/g0"])
        #expect(night.fit?.offsets["s/b/0/g0"] == nil)
        #expect(night.spots.count == 8 && !night.spots.contains { $0.module == "s/b/0/g0" })
        #expect(night.spots.allSatisfy { $0.signals.count == 7 && $0.startedAt == 9 })
    }

    @Test func `A deaf receiver at the right place is not named, and gets an offset`() throws {
        let night = Self.night(Self.positions(moved: false), offset: -8)
        #expect(night.disagreements.isEmpty, "\(night.disagreements)")
        let fit = try #require(night.fit)
        #expect(fit.isImprovement)
        #expect(try #require(fit.offsets["s/b/0/g4"]) < -3)
    }

    @Test func `A receiver that was moved by day is neither named nor learnt from in the night after`() {
        let night = Self.night(Self.positions(moved: true, at: 7))
        #expect(night.disagreements.isEmpty, "\(night.disagreements)")
        #expect(night.fit?.offsets["s/b/0/g0"] == nil)
        #expect(night.spots.count == 8)
        #expect(Self.night(Self.positions(moved: false, at: 5)).spots.count == 9)
    }

    @Test func `A night without levels leaves the spots of the night before, unless modules are switched off`() {
        let silent = ReceiverNight([Self.plan], Self.positions(moved: false), since: 5, levels: [], now: 9)
        #expect(silent.newSpots(learns: true) == nil)
        #expect(silent.newSpots(learns: false) == [])
        #expect(Self.night(Self.positions(moved: false)).newSpots(learns: true)?.count == 9)
    }
}
