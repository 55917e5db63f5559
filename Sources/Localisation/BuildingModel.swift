package import FloorPlans
import RealModule

/// A building before anything is heard: its floors as grids, and what receivers are expected to
/// report.
package struct BuildingModel: Sendable {
    package let plans: [FloorPlan]
    package let grids: [FloorGrid]
    package let receivers: [ReceiverSite]
    package let settings: RadioSettings
    /// Maps by floor and receiver.
    private(set) var maps: [[RadioMap]]
    /// Spread in one step, by floor and by power of two of the time step.
    let spreads: [[Diffusion]]
    let passages: [JoinedPassage]
    /// Rooms with receivers on both sides of their walls, as the plan has them.
    let sides: [RoomSides]
    private let indexes: [String: Int]

    /// Time steps in seconds whose spread is computed in advance.
    static let steps: [Double] = [0.25, 0.5, 1, 2, 4, 8, 16]

    /// A way between two floors.
    struct JoinedPassage: Sendable {
        var floors: (Int, Int)
        /// Cells near the passage, by floor.
        var cells: ([Int32], [Int32])
    }

    /// Distance from stairs or a lift within which somebody can be about to take it, in metres.
    private static let passageReach = 1.5

    /// Creates the model of a building.
    ///
    /// - Parameters:
    ///   - plans: plans of its floors.
    ///   - receivers: receivers; those with a floor that does not exist are ignored.
    package init(plans: [FloorPlan], receivers: [ReceiverSite], settings: RadioSettings = RadioSettings()) {
        let receivers = receivers.filter { plans.indices.contains($0.floor) }
        let grids = plans.map { FloorGrid($0) }
        let barriers = plans.map { Barriers($0) }
        let storeys = Storeys(plans, grids: grids)
        self.plans = plans
        self.grids = grids
        self.receivers = receivers
        self.settings = settings
        indexes = Dictionary(receivers.indices.map { (receivers[$0].path, $0) }) { first, _ in first }
        maps = plans.indices.map { floor in
            receivers.map { receiver in
                let crossing = storeys[floor, receiver.floor]
                return RadioMap(
                    receiver, grids[floor], barriers[floor],
                    elevation: plans[floor].elevation - plans[receiver.floor].elevation,
                    ceilings: crossing.attenuation, floorsApart: crossing.count, settings: settings)
            }
        }
        spreads = grids.map { grid in
            Self.steps.map { Diffusion(grid, variance: settings.speed * settings.speed * $0) }
        }
        passages = Self.joined(plans, grids)
        sides = RoomSides.all(plans: plans, grids: grids, receivers: receivers, maps: maps)
    }

    /// Returns the index of a receiver by its path; `nil` if it has no known position in this building.
    package func receiver(_ path: String) -> Int? { indexes[path] }

    /// Sets what a survey found of the expected values of a receiver on a floor.
    ///
    /// - Parameters:
    ///   - residual: difference from the model by cell in dB.
    ///   - variance: its variance by cell in dB².
    mutating func correct(floor: Int, receiver: Int, residual: [Float], variance: [Float]) {
        guard !maps[floor][receiver].mean.isEmpty else { return }
        let noise = Float(settings.deviation * settings.deviation)
        var precision = Array(repeating: Cells(repeating: 1 / noise), count: maps[floor][receiver].mean.count)
        var logPrecision = Array(
            repeating: Cells(repeating: maps[floor][receiver].usualLogPrecision), count: precision.count)
        for index in grids[floor].inside.map(Int.init) {
            let (group, place) = (index / 8, index % 8)
            maps[floor][receiver].mean[group][place] += residual[index]
            precision[group][place] = 1 / (noise + max(0, variance[index]))
            logPrecision[group][place] = .log(precision[group][place]) / 2
        }
        maps[floor][receiver].precision = precision
        maps[floor][receiver].logPrecision = logPrecision
    }

    /// Expected RSSI of a subject of the reference power in a cell, in dBm.
    func expected(floor: Int, receiver: Int, cell: Int) -> Double {
        let map = maps[floor][receiver]
        return Double(map.mean.isEmpty ? map.constant : map.mean[cell / 8][cell % 8])
    }

    /// Expected RSSI of a beacon of the reference power at the position of a receiver, in dBm; `nil` if the position is
    /// outside of its floor.
    ///
    /// - Parameters:
    ///   - site: index of the receiver at which the beacon hangs.
    ///   - receiver: index of the receiver that hears it.
    package func expected(ofBeaconAt site: Int, by receiver: Int) -> Double? {
        guard receivers.indices.contains(site), receivers.indices.contains(receiver),
            let cell = grids[receivers[site].floor].nearestInside(to: receivers[site].position)
        else { return nil }
        return expected(floor: receivers[site].floor, receiver: receiver, cell: cell)
    }

    /// Returns whether a survey has said something of a floor.
    func isSurveyed(_ floor: Int) -> Bool { maps[floor].contains { !$0.precision.isEmpty } }

    /// Bytes of the maps and grids, without what each subject needs.
    package var memory: Int {
        let mapped = maps.joined().reduce(0) { $0 + 32 * (3 * $1.mean.count + 2 * $1.precision.count) }
        let cells = grids.reduce(0) { $0 + $1.count * (4 + 2 + Self.steps.count * 24) }
        return mapped + cells + sides.reduce(0) { $0 + 64 * $1.share.count }
    }

    private static func joined(_ plans: [FloorPlan], _ grids: [FloorGrid]) -> [JoinedPassage] {
        func cells(_ floor: Int, _ passage: FloorPlan.Passage) -> [Int32] {
            let grid = grids[floor]
            let near = grid.inside.filter { grid.center(of: Int($0)).distance(to: passage.position) <= passageReach }
            return near.isEmpty ? grid.nearestInside(to: passage.position).map { [Int32($0)] } ?? [] : near
        }
        var result: [JoinedPassage] = []
        for first in plans.indices {
            for second in plans.indices where second > first {
                for passage in plans[first].passages {
                    guard let other = plans[second].passages.first(where: { $0.name == passage.name }) else { continue }
                    let (a, b) = (cells(first, passage), cells(second, other))
                    if !a.isEmpty, !b.isEmpty { result.append(JoinedPassage(floors: (first, second), cells: (a, b))) }
                }
            }
        }
        return result
    }
}
