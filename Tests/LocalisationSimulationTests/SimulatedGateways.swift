import FloorPlans
import Localisation
import TestValues

/// Gateways on the walls of an office building's floors, and how loudly they hear each other's modules.
///
/// The radio does not have the search's constants: the building has its own exponent, each room's walls have their own
/// attenuation, and there are shadows, powers and offsets that the search does not know.
struct SimulatedGateways {
    /// What shadows have in common.
    enum Shadowing: String, CaseIterable {
        /// Each link has a shadow of its own of 5 dB.
        case perLink
        /// Each pair of rooms has a shadow of 4 dB that all links between them share, and each link one of 3 dB.
        case perRoom
        /// Each link has a shadow of 7 dB, which is more than the search assumes.
        case strong
    }

    let plans: [FloorPlan]
    /// All receivers with their true positions.
    let receivers: [PlacementReceiver]
    let levels: [MutualLevel]

    private static let roomWidth = 5.0
    private static let roomDepth = 6.0
    private static let corridorWidth = 2.5
    private static let storey = 3.4

    /// Creates a building.
    ///
    /// - Parameters:
    ///   - gateways: number of gateways on each floor.
    ///   - columns: number of rooms on each side of the corridor.
    init(
        floors: Int, columns: Int, gateways: Int, shadowing: Shadowing, _ random: inout SeededGenerator
    ) {
        let plans = (0..<floors).map { Self.plan($0, columns: columns, &random) }
        self.plans = plans
        var receivers: [PlacementReceiver] = []
        for (floor, plan) in plans.enumerated() {
            for index in 0..<gateways {
                let spot = Self.spot(on: plan, &random)
                receivers.append(
                    PlacementReceiver(
                        path: "\(plan.path)/g\(index)", floor: floor, position: spot,
                        height: .random(in: 1.6...2.8, using: &random)))
            }
        }
        self.receivers = receivers
        levels = Self.levels(plans, receivers, shadowing, &random)
    }

    private static func rectangle(_ x: Double, _ y: Double, _ width: Double, _ height: Double) -> PlanPolygon {
        PlanPolygon([
            PlanPoint(x: x, y: y), PlanPoint(x: x + width, y: y), PlanPoint(x: x + width, y: y + height),
            PlanPoint(x: x, y: y + height),
        ])
    }

    /// Rooms of different widths on both sides of a corridor.
    private static func plan(_ floor: Int, columns: Int, _ random: inout SeededGenerator) -> FloorPlan {
        let length = roomWidth * Double(columns)
        let upper = roomDepth + corridorWidth
        var plan = FloorPlan(
            site: "s", building: "b", floor: "\(floor)", elevation: storey * Double(floor), height: storey,
            outline: rectangle(0, 0, length, upper + roomDepth))
        for side in 0..<2 {
            var column = 0
            while column < columns {
                let width = min(columns - column, Int.random(in: 1...3, using: &random))
                let (x, y) = (Double(column) * roomWidth, side == 0 ? 0 : upper)
                let size = Double(width) * roomWidth
                plan.rooms.append(
                    FloorPlan.Room(name: "\(floor)-\(side)-\(column)", polygon: rectangle(x, y, size, roomDepth)))
                plan.doors.append(FloorPlan.Door(position: PlanPoint(x: x + 1, y: side == 0 ? roomDepth : upper)))
                column += width
            }
        }
        return plan
    }

    /// Returns a point 0.2 m from a wall of a room, or of the corridor for one of six.
    private static func spot(on plan: FloorPlan, _ random: inout SeededGenerator) -> PlanPoint {
        let length = plan.outline.bounds!.greatest.x
        if Int.random(in: 0..<6, using: &random) == 0 {
            let isUpper = Bool.random(using: &random)
            return PlanPoint(
                x: .random(in: 0.5...(length - 0.5), using: &random),
                y: isUpper ? roomDepth + corridorWidth - 0.2 : roomDepth + 0.2)
        }
        let bounds = plan.rooms.randomElement(using: &random)!.polygon.bounds!
        let (least, greatest) = (bounds.least, bounds.greatest)
        let (x, y) = (
            Double.random(in: (least.x + 0.2)...(greatest.x - 0.2), using: &random),
            Double.random(in: (least.y + 0.2)...(greatest.y - 0.2), using: &random)
        )
        switch Int.random(in: 0..<4, using: &random) {
        case 0: return PlanPoint(x: least.x + 0.2, y: y)
        case 1: return PlanPoint(x: greatest.x - 0.2, y: y)
        case 2: return PlanPoint(x: x, y: least.y + 0.2)
        default: return PlanPoint(x: x, y: greatest.y - 0.2)
        }
    }

    private static func levels(
        _ plans: [FloorPlan], _ receivers: [PlacementReceiver], _ shadowing: Shadowing,
        _ random: inout SeededGenerator
    ) -> [MutualLevel] {
        let exponent = Double.random(in: 1.55...1.95, using: &random)
        let ceiling = Double.random(in: 11...18, using: &random)
        let walls = plans.map { $0.rooms.map { _ in Double.random(in: 2.5...7, using: &random) } }
        let powers = receivers.map { _ in -62 + Double.random(in: -8...8, using: &random) }
        let offsets = receivers.map { _ in Double.random(in: -4...4, using: &random) }
        var shadows: [String: Double] = [:]
        var levels: [MutualLevel] = []
        func room(_ receiver: PlacementReceiver) -> Int {
            plans[receiver.floor].rooms.firstIndex { $0.polygon.contains(receiver.position!) } ?? -1
        }
        for first in receivers.indices {
            for second in receivers.indices where second > first {
                let (one, other) = (receivers[first], receivers[second])
                let rise = Double(one.floor - other.floor) * storey + one.height - other.height
                let flat = one.position!.distance(to: other.position!)
                var loss = 10 * exponent * SimulatedBuilding.log10(max(0.5, (flat * flat + rise * rise).squareRoot()))
                loss += ceiling * Double(abs(one.floor - other.floor))
                let path = PlanSegment(one.position!, other.position!)
                for (index, room) in plans[one.floor].rooms.enumerated() {
                    let crossings = room.polygon.edges.count { path.crossing(with: $0) != nil }
                    // Walls between two rooms belong to both.
                    loss += Double(crossings) * walls[one.floor][index] / (one.floor == other.floor ? 1.5 : 3)
                }
                switch shadowing {
                case .perLink: loss += SimulatedBuilding.normal(5, &random)
                case .strong: loss += SimulatedBuilding.normal(7, &random)
                case .perRoom:
                    let key = "\(one.floor)/\(room(one)) \(other.floor)/\(room(other))"
                    let shared = shadows[key] ?? SimulatedBuilding.normal(4, &random)
                    shadows[key] = shared
                    loss += shared + SimulatedBuilding.normal(3, &random)
                }
                for (beacon, receiver) in [(first, second), (second, first)] {
                    let level = powers[beacon] + offsets[receiver] - loss + SimulatedBuilding.normal(1, &random)
                    if level > -92 {
                        levels.append(
                            MutualLevel(
                                beacon: receivers[beacon].path, receiver: receivers[receiver].path, rssi: level,
                                minutes: 100))
                    }
                }
            }
        }
        return levels
    }

    /// Returns the receivers with the positions of some only.
    ///
    /// - Parameter namesRooms: whether all receivers in rooms name them.
    func receivers(knowing known: Set<Int>, namesRooms: Bool = false) -> [PlacementReceiver] {
        receivers.enumerated().map { index, receiver in
            var receiver = receiver
            if namesRooms, let position = receiver.position {
                receiver.room = plans[receiver.floor].rooms.first { $0.polygon.contains(position) }?.name
            }
            if !known.contains(index) { receiver.position = nil }
            return receiver
        }
    }
}
