import FloorPlans
import TestValues
import Testing

@testable import Localisation

@Suite("Offsets of receivers")
struct OffsetFitTests {
    private static let model: BuildingModel = {
        let outline = TwoRooms.rectangle(0, 0, 24, 18)
        let plan = FloorPlan(
            site: "s", building: "b", floor: "0", outline: outline,
            rooms: [FloorPlan.Room(name: "hall", polygon: outline)])
        let sites = (0..<9).map { index in
            ReceiverSite(
                path: "s/b/0/g\(index)", floor: 0,
                position: PlanPoint(x: 4 + 8 * Double(index % 3), y: 3 + 6 * Double(index / 3)))
        }
        return BuildingModel(plans: [plan], receivers: sites)
    }()

    /// Levels of all pairs, with offsets and powers by receiver.
    private static func levels(
        offsets: [Int: Double], powers: [Int: Double] = [:], shadow: Double = 0, seed: UInt64 = 1
    ) -> [MutualLevel] {
        var random = SeededGenerator(seed: seed)
        var levels: [MutualLevel] = []
        for beacon in 0..<9 {
            let cell = model.grids[0].nearestInside(to: model.receivers[beacon].position)!
            for receiver in 0..<9 where receiver != beacon {
                let noise = Double.random(in: -1...1, using: &random) * shadow * 1.7
                levels.append(
                    MutualLevel(
                        beacon: model.receivers[beacon].path, receiver: model.receivers[receiver].path,
                        rssi: model.expected(floor: 0, receiver: receiver, cell: cell)
                            + offsets[receiver, default: 0] + powers[beacon, default: 0] + noise,
                        minutes: 100))
            }
        }
        return levels
    }

    @Test("a receiver that hears less than others has a negative offset, whatever the beacons' powers")
    func learnt() throws {
        for powers in [[:], [0: 8.0, 3: -6, 7: 5]] {
            let fit = try #require(
                OffsetFit(Self.model, Self.levels(offsets: [4: -8], powers: powers, shadow: 2)))
            #expect(fit.isImprovement, "\(fit)")
            let offset = try #require(fit.offsets["s/b/0/g4"])
            #expect((-8 ... -3.5).contains(offset), "\(fit.offsets)")
            #expect(fit.offsets.filter { $0.key != "s/b/0/g4" }.values.allSatisfy { abs($0) < 3 })
        }
    }

    @Test("shadows alone are no offsets")
    func shadows() throws {
        var improvements = 0
        for seed in 1...20 {
            let fit = try #require(
                OffsetFit(Self.model, Self.levels(offsets: [:], shadow: 6, seed: UInt64(seed))))
            if fit.isImprovement { improvements += 1 }
        }
        #expect(improvements <= 3)
    }

    @Test("few links and levels that are none teach nothing")
    func few() {
        let levels = Self.levels(offsets: [4: -8])
        #expect(OffsetFit(Self.model, Array(levels.prefix(7))) == nil)
        #expect(
            OffsetFit(
                Self.model,
                levels.map { .init(beacon: $0.beacon, receiver: $0.receiver, rssi: .nan, minutes: 1) }) == nil)
        #expect(
            OffsetFit(
                Self.model,
                levels.map { .init(beacon: $0.beacon + "x", receiver: $0.receiver, rssi: -60, minutes: 1) }) == nil)
    }
}
