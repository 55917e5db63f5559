import Evidence
import Glibc
import InteractionStore
import Matching

/// How well the distances of interactions fit the true ones, in the gateway's room and behind walls.
struct DistanceCheck: Sendable {
    /// Natural logarithms of what was measured by what is true.
    private var logarithms: [Place: [Double]] = [:]
    private var inside: [Place: Int] = [:]

    enum Place: CaseIterable, Sendable {
        case inRoom, elsewhere
    }

    /// Seconds between two looks.
    private static let step = 10

    /// - Parameter opening: when the walks begin, in seconds since 1970.
    mutating func add(
        _ record: InteractionRecord, person: Int, gateway: Int, _ walks: Walks, _ building: Building, opening: Int64
    ) {
        guard let distance = record.distance else { return }
        var metres: [Double] = []
        var inRoom = 0
        for time in stride(from: record.start, through: record.end, by: Self.step) {
            let position = walks[person, Int(time - opening)]
            guard position.isInside else { continue }
            if Int(position.room) == building.gateways[gateway].room { inRoom += 1 }
            metres.append(Self.metres(position, gateway, building))
        }
        guard let truth = Score.median(metres) else { return }
        let place: Place = inRoom * 2 > metres.count ? .inRoom : .elsewhere
        logarithms[place, default: []].append(log(max(Double(distance.centimetres), 1) / 100 / truth))
        if Double(distance.lower) <= truth * 100, truth * 100 <= Double(distance.upper) {
            inside[place, default: 0] += 1
        }
    }

    /// The median of what was measured by what is true: 1 when neither near nor far is preferred; `nil` of nothing.
    func ratio(_ place: Place) -> Double? { Score.median(logarithms[place] ?? []).map { exp($0) } }

    /// The share of the intervals of 90 % that hold the median of the true distances; `nil` of nothing.
    func share(_ place: Place) -> Double? {
        guard let count = logarithms[place]?.count, count > 0 else { return nil }
        return Double(inside[place] ?? 0) / Double(count)
    }

    private static func metres(_ position: Walks.Position, _ gateway: Int, _ building: Building) -> Double {
        let gateway = building.gateways[gateway]
        let floors = gateway.floor - building.rooms[Int(position.room)].floor
        let height = building.height + Double(floors) * building.plan.floorHeight
        return hypot(hypot(Double(position.x) - gateway.x, Double(position.y) - gateway.y), height)
    }
}
