import FloorPlans
import Localisation
import TestValues

/// Three floors with a corridor each, eight rooms and a receiver in each room, and the radio between them.
///
/// The radio does not have the estimator's constants: each receiver has its own exponent, each wall its own
/// attenuation, and bodies, shadows that stay while somebody sits, and fading are drawn at random. What both share is
/// written in the tests.
struct SimulatedBuilding {
    let plans: [FloorPlan]
    let receivers: [ReceiverSite]
    private let exponents: [Double]
    /// Attenuations by floor and room in dB, of the room's walls.
    private let walls: [[Double]]
    private let seed: UInt64
    private let shadowing: Shadowing
    /// Shadows in dB by receiver, floor and room, with the corridor after the rooms.
    private let roomShadows: [[[Double]]]
    /// Plane waves that add up to a field of shadows, by receiver and floor.
    private let waves: [[[Wave]]]

    /// What shadows have in common.
    enum Shadowing: CaseIterable {
        /// Each stay has shadows of its own, and nothing is common to stays.
        case ofStay
        /// All of a room has the same shadows, which its stays differ from a little.
        case ofRoom
        /// Shadows are alike within 1.5 m, whatever walls there are.
        case ofSpot
    }

    /// A wave of a random field.
    private struct Wave {
        /// Radians per metre.
        var x: Double
        var y: Double
        var phase: Double
    }

    /// Standard deviations in dB of all shadows, and of the part that lasts and the part that does not.
    private static let shadow = 3.5
    private static let lastingShadow = 3.0
    private static let passingShadow = 1.8
    private static let shadowLength = 1.5
    private static let wavesOfField = 40

    static let floors = 3
    static let rooms = 8
    private static let roomWidth = 6.0
    private static let roomDepth = 5.0
    private static let corridorWidth = 2.0
    private static let storey = 3.2
    private static let ceiling = 16.0

    /// - Parameter most: greatest number of receivers in a room; each room has a random number from 1 to it.
    init(seed: UInt64, _ shadowing: Shadowing = .ofStay, mostReceivers most: Int = 1) {
        self.seed = seed
        self.shadowing = shadowing
        var random = SeededGenerator(seed: seed)
        plans = (0..<Self.floors).map(Self.plan)
        var receivers: [ReceiverSite] = []
        for (floor, plan) in plans.enumerated() {
            for (index, room) in plan.rooms.enumerated() {
                guard let center = room.polygon.centroid else { continue }
                for number in 0..<(most > 1 ? Int.random(in: 1...most, using: &random) : 1) {
                    let x = center.x + Double.random(in: -2...2, using: &random)
                    let y = center.y + Double.random(in: -1.5...1.5, using: &random)
                    receivers.append(
                        ReceiverSite(
                            path: "s/b/\(floor)/g\(index)-\(number)", floor: floor, position: PlanPoint(x: x, y: y),
                            height: 2.6))
                }
            }
        }
        self.receivers = receivers
        exponents = receivers.map { _ in Double.random(in: 1.8...2.3, using: &random) }
        walls = plans.map { $0.rooms.map { _ in Double.random(in: 3...7, using: &random) } }
        roomShadows = receivers.map { _ in
            (0..<Self.floors).map { _ in (0...Self.rooms).map { _ in Self.normal(Self.lastingShadow, &random) } }
        }
        // A field whose correlation is a Gaussian function of the distance has a Gaussian spectrum.
        waves = receivers.map { _ in
            (0..<Self.floors).map { _ in
                (0..<Self.wavesOfField).map { _ in
                    Wave(
                        x: Self.normal(1 / Self.shadowLength, &random), y: Self.normal(1 / Self.shadowLength, &random),
                        phase: .random(in: 0...(2 * .pi), using: &random))
                }
            }
        }
    }

    private static func plan(_ floor: Int) -> FloorPlan {
        func rectangle(_ x: Double, _ y: Double, _ width: Double, _ height: Double) -> PlanPolygon {
            PlanPolygon([
                PlanPoint(x: x, y: y), PlanPoint(x: x + width, y: y), PlanPoint(x: x + width, y: y + height),
                PlanPoint(x: x, y: y + height),
            ])
        }
        let length = roomWidth * Double(rooms / 2)
        let upper = roomDepth + corridorWidth
        var plan = FloorPlan(
            site: "s", building: "b", floor: "\(floor)", elevation: storey * Double(floor), height: storey,
            outline: rectangle(0, 0, length, upper + roomDepth))
        for index in 0..<rooms {
            let x = Double(index % 4) * roomWidth
            let isUpper = index >= 4
            plan.rooms.append(
                FloorPlan.Room(
                    name: "\(floor)-\(index)", polygon: rectangle(x, isUpper ? upper : 0, roomWidth, roomDepth)))
            plan.doors.append(
                FloorPlan.Door(position: PlanPoint(x: x + roomWidth / 2, y: isUpper ? upper : roomDepth)))
        }
        plan.passages.append(
            FloorPlan.Passage(kind: .stairs, name: "stairs", position: PlanPoint(x: length - 1, y: roomDepth + 1)))
        return plan
    }

    /// Where somebody is.
    struct Spot {
        var floor: Int
        var position: PlanPoint
    }

    /// Returns the room of a spot; `nil` for the corridor.
    func room(_ spot: Spot) -> Int? { plans[spot.floor].rooms.firstIndex { $0.polygon.contains(spot.position) } }

    func randomSpot(in room: Int, floor: Int, _ random: inout SeededGenerator) -> Spot {
        let bounds = plans[floor].rooms[room].polygon.bounds!
        return Spot(
            floor: floor,
            position: PlanPoint(
                x: .random(in: (bounds.least.x + 0.5)...(bounds.greatest.x - 0.5), using: &random),
                y: .random(in: (bounds.least.y + 0.5)...(bounds.greatest.y - 0.5), using: &random)))
    }

    /// Returns the way between two spots, a point for each second, through doors, the corridor and the stairs.
    func way(from start: Spot, to end: Spot) -> [Spot] {
        let middle = Self.roomDepth + Self.corridorWidth / 2
        func door(_ spot: Spot) -> [PlanPoint] {
            guard let room = room(spot) else { return [] }
            let door = plans[spot.floor].doors[room].position
            return [door, PlanPoint(x: door.x, y: middle)]
        }
        var points = [start] + door(start).map { Spot(floor: start.floor, position: $0) }
        if start.floor != end.floor {
            let stairs = plans[start.floor].passages[0].position
            points.append(Spot(floor: start.floor, position: stairs))
            points.append(Spot(floor: end.floor, position: stairs))
        }
        points += door(end).reversed().map { Spot(floor: end.floor, position: $0) } + [end]
        var result: [Spot] = []
        for (from, to) in zip(points, points.dropFirst()) {
            // Somebody is on the stairs for some seconds.
            let seconds = from.floor == to.floor ? Int(from.position.distance(to: to.position) / 1.2) + 1 : 15
            for second in 0..<seconds {
                let share = Double(second) / Double(seconds)
                result.append(
                    Spot(
                        floor: share < 0.5 ? from.floor : to.floor,
                        position: PlanSegment(from.position, to.position).point(at: share)))
            }
        }
        return result
    }

    /// What stays the same while somebody sits: shadows by receiver, and the direction of the body.
    struct Posture {
        var shadows: [Double]
        var heading: Double
    }

    func posture(_ random: inout SeededGenerator) -> Posture {
        Posture(
            shadows: receivers.map { _ in
                Self.normal(shadowing == .ofStay ? Self.shadow : Self.passingShadow, &random)
            },
            heading: .random(in: 0...(2 * .pi), using: &random))
    }

    /// Returns what is heard of a badge in a second.
    ///
    /// - Parameters:
    ///   - power: received power at one metre in dBm.
    ///   - loss: share of seconds in which a receiver misses the badge.
    func hear(
        _ spot: Spot, _ posture: Posture, power: Double, loss: Double, _ random: inout SeededGenerator
    ) -> [HeardSignal] {
        receivers.indices.compactMap { index in
            if Double.random(in: 0..<1, using: &random) < loss { return nil }
            let receiver = receivers[index]
            let flat = receiver.position.distance(to: spot.position)
            let rise = Double(receiver.floor - spot.floor) * Self.storey + receiver.height - 1.1
            let distance = max(0.5, (flat * flat + rise * rise).squareRoot())
            var level = power - 10 * exponents[index] * Self.log10(distance)
            level -= wallLoss(from: spot, to: receiver)
            level -= Self.ceiling * Double(abs(receiver.floor - spot.floor))
            let direction = Self.angle(receiver.position.x - spot.position.x, receiver.position.y - spot.position.y)
            level += 4 * Self.cosine(direction - posture.heading)
            level += posture.shadows[index] + lasting(index, spot) + Self.normal(3, &random)
            return level < -92 ? nil : HeardSignal(receiver: index, rssi: level)
        }
    }

    /// Returns the shadow that a receiver and a spot always have, in dB.
    private func lasting(_ receiver: Int, _ spot: Spot) -> Double {
        switch shadowing {
        case .ofStay: return 0
        case .ofRoom: return roomShadows[receiver][spot.floor][room(spot) ?? Self.rooms]
        case .ofSpot:
            let sum = waves[receiver][spot.floor].reduce(0) {
                $0 + Self.cosine($1.x * spot.position.x + $1.y * spot.position.y + $1.phase)
            }
            return Self.lastingShadow * (2 / Double(Self.wavesOfField)).squareRoot() * sum
        }
    }

    /// Returns a second in which all receivers listened.
    func window(_ signals: [HeardSignal], end: Double) -> HeardWindow {
        let heard = Set(signals.map(\.receiver))
        return HeardWindow(end: end, signals: signals, silent: receivers.indices.filter { !heard.contains($0) })
    }

    private func wallLoss(from spot: Spot, to receiver: ReceiverSite) -> Double {
        let path = PlanSegment(spot.position, receiver.position)
        let floor = spot.floor
        var loss = 0.0
        for (index, room) in plans[floor].rooms.enumerated() {
            let crossings = room.polygon.edges.count { path.crossing(with: $0) != nil }
            // Walls between two rooms belong to both.
            loss += Double(crossings) * walls[floor][index] / 2
        }
        return receiver.floor == floor ? loss : loss / 2
    }

    static func normal(_ deviation: Double, _ random: inout SeededGenerator) -> Double {
        // The sum of twelve uniform numbers.
        deviation * ((0..<12).reduce(0) { sum, _ in sum + Double.random(in: 0..<1, using: &random) } - 6)
    }
}
