import FloorPlans
import Localisation
import TestValues

/// A room with five receivers inside and five outside its walls, people who come and go, and the radio between them.
///
/// The radio does not have the estimator's constants: exponents, walls, offsets of receivers, bodies, shadows that
/// depend on the place, fading of each packet and lost packets are drawn at random.
struct SimulatedRoom {
    /// What is around the room.
    enum Surroundings: CaseIterable {
        /// The floor between rooms.
        case floor
        /// A corridor on the side of the door, which is a room of the plan, and the floor between rooms.
        case corridor
        /// A room on each side, which together leave no floor between rooms.
        case rooms
    }

    let plan: FloorPlan
    let receivers: [ReceiverSite]
    private let exponents: [Double]
    private let offsets: [Double]
    /// Attenuation of the walls in dB.
    private let wall: Double
    private let shadows: [Shadow]
    private let door: PlanPoint
    private let doorWidth: Double

    /// Shadows of one receiver: a field of place with a standard deviation in dB.
    private struct Shadow {
        var waves: [(x: Double, y: Double, phase: Double)]
        var deviation: Double

        init(_ deviations: ClosedRange<Double>, _ random: inout SeededGenerator) {
            deviation = .random(in: deviations, using: &random)
            waves = (0..<12).map { _ in
                // Waves of 2 to 6 m: half a metre changes little, two metres much.
                let length = Double.random(in: 2...6, using: &random)
                let angle = Double.random(in: 0...(2 * .pi), using: &random)
                let rate = 2 * Double.pi / length
                return (
                    rate * SimulatedBuilding.cosine(angle), rate * SimulatedBuilding.cosine(angle - .pi / 2),
                    .random(in: 0...(2 * .pi), using: &random)
                )
            }
        }

        func level(_ point: PlanPoint) -> Double {
            let sum = waves.reduce(0) {
                $0 + SimulatedBuilding.cosine($1.x * point.x + $1.y * point.y + $1.phase)
            }
            return deviation * sum * (2 / Double(waves.count)).squareRoot()
        }
    }

    /// Number of receivers inside; they come first.
    static let inside = 5

    /// Least distance of people from walls in metres.
    private static let clearance = 0.3

    /// How hard the radio makes it.
    struct Radio {
        /// Attenuations of the walls in dB.
        var walls = 2.0...8.0
        /// Standard deviations of the shadows in dB.
        var shadows = 2.0...4.5
        /// Greatest offset of a receiver in dB.
        var offset = 3.0
    }

    init(_ surroundings: Surroundings, radio: Radio = Radio(), seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let margin = Double.random(in: 2...4, using: &random)
        let (width, depth) = (Double.random(in: 5...10, using: &random), Double.random(in: 4...8, using: &random))
        func rectangle(_ x: Double, _ y: Double, _ width: Double, _ height: Double) -> PlanPolygon {
            PlanPolygon([
                PlanPoint(x: x, y: y), PlanPoint(x: x + width, y: y), PlanPoint(x: x + width, y: y + height),
                PlanPoint(x: x, y: y + height),
            ])
        }
        doorWidth = .random(in: 0.8...1.2, using: &random)
        door = PlanPoint(x: margin + .random(in: 1...(width - 1), using: &random), y: margin)
        var rooms = [FloorPlan.Room(name: "room", polygon: rectangle(margin, margin, width, depth))]
        var doors = [FloorPlan.Door(position: door, width: doorWidth)]
        let (length, height) = (width + 2 * margin, depth + 2 * margin)
        switch surroundings {
        case .floor: break
        case .corridor:
            rooms.append(FloorPlan.Room(name: "corridor", polygon: rectangle(0, 0, length, margin)))
        case .rooms:
            rooms.append(FloorPlan.Room(name: "south", polygon: rectangle(0, 0, length, margin)))
            rooms.append(FloorPlan.Room(name: "north", polygon: rectangle(0, margin + depth, length, margin)))
            rooms.append(FloorPlan.Room(name: "west", polygon: rectangle(0, margin, margin, depth)))
            rooms.append(FloorPlan.Room(name: "east", polygon: rectangle(margin + width, margin, margin, depth)))
        }
        if surroundings != .floor {
            for x in [margin / 2, margin * 1.5 + width] {
                doors.append(FloorPlan.Door(position: PlanPoint(x: x, y: margin), width: 1))
                if surroundings == .rooms {
                    doors.append(FloorPlan.Door(position: PlanPoint(x: x, y: margin + depth), width: 1))
                }
            }
        }
        plan = FloorPlan(
            site: "s", building: "b", floor: "0", outline: rectangle(0, 0, length, height), rooms: rooms, doors: doors)
        // Inside anywhere or at the walls; outside at most 2 m from the walls.
        var receivers: [ReceiverSite] = []
        let atWalls = Bool.random(using: &random)
        for number in 0..<10 {
            let isInside = number < Self.inside
            var away = Double.random(in: 0.1...min(2, margin - 0.1), using: &random)
            if isInside, atWalls { away = 0.2 }
            if !isInside { away = -away }
            let side = number % 5 < 4 ? number % 5 : Int.random(in: 0..<4, using: &random)
            let share = Double.random(in: 0.1...0.9, using: &random)
            let deep = side < 2 ? depth : width
            if isInside { away = min(away, deep / 2) }
            let position =
                switch side {
                case 0: PlanPoint(x: margin + share * width, y: margin + away)
                case 1: PlanPoint(x: margin + share * width, y: margin + depth - away)
                case 2: PlanPoint(x: margin + away, y: margin + share * depth)
                default: PlanPoint(x: margin + width - away, y: margin + share * depth)
                }
            receivers.append(
                ReceiverSite(
                    path: "s/b/0/\(isInside ? "in" : "out")\(number % 5)", floor: 0, position: position,
                    height: .random(in: 0.8...2.6, using: &random)))
        }
        self.receivers = receivers
        exponents = receivers.map { _ in .random(in: 1.6...2.4, using: &random) }
        offsets = receivers.map { _ in .random(in: -radio.offset...radio.offset, using: &random) }
        wall = .random(in: radio.walls, using: &random)
        shadows = receivers.map { _ in Shadow(radio.shadows, &random) }
    }

    /// Returns the index of the room at a point; `nil` for the floor between rooms.
    func room(_ point: PlanPoint) -> Int? { plan.rooms.firstIndex { $0.polygon.contains(point) } }

    /// Returns a day of somebody: a point for each tenth of a second, with the direction of the body.
    func walk(minutes: Int, _ random: inout SeededGenerator) -> [(point: PlanPoint, heading: Double)] {
        var result: [(point: PlanPoint, heading: Double)] = []
        var here = spot(isInside: .random(using: &random), &random)
        while result.count < minutes * 600 {
            // Most go to another place on the same side before they come in or go out.
            let isInside = Double.random(in: 0..<1, using: &random) < 0.5
            let next = spot(isInside: isInside, &random)
            let speed = Double.random(in: 0.6...1.4, using: &random)
            for (from, to) in zip(way(here, next), way(here, next).dropFirst()) {
                let heading = SimulatedBuilding.angle(to.x - from.x, to.y - from.y)
                let steps = Int(from.distance(to: to) / speed * 10) + 1
                for step in 0..<steps {
                    result.append((PlanSegment(from, to).point(at: Double(step) / Double(steps)), heading))
                }
            }
            here = next
            var heading = Double.random(in: 0...(2 * .pi), using: &random)
            for tenth in 0..<Int.random(in: 30...600, using: &random) {
                if tenth % 100 == 99 { heading += .random(in: -1...1, using: &random) }
                result.append((here, heading))
            }
        }
        return result
    }

    /// Returns a place inside or outside; one of three is near a wall of the room.
    private func spot(isInside: Bool, _ random: inout SeededGenerator) -> PlanPoint {
        let inner = plan.rooms[0].polygon.bounds!
        let outer = plan.outline.bounds!
        let isNear = Double.random(in: 0..<1, using: &random) < 1.0 / 3
        while true {
            let bounds = isInside ? inner : outer
            let point = PlanPoint(
                x: .random(in: bounds.least.x...bounds.greatest.x, using: &random),
                y: .random(in: bounds.least.y...bounds.greatest.y, using: &random))
            let distance = plan.rooms[0].polygon.edges.map { $0.nearest(to: point).distance }.min()!
            guard (room(point) == 0) == isInside, distance >= Self.clearance else { continue }
            if !isNear || distance < 0.8 { return point }
        }
    }

    /// Returns the points of a way: through the door between inside and outside, and outside round the room.
    private func way(_ start: PlanPoint, _ end: PlanPoint) -> [PlanPoint] {
        let (isInside, goesInside) = (room(start) == 0, room(end) == 0)
        let before = PlanPoint(x: door.x, y: door.y - 0.5)
        let behind = PlanPoint(x: door.x, y: door.y + 0.5)
        switch (isInside, goesInside) {
        case (true, true): return [start, end]
        case (false, false): return around(start, end)
        case (true, false): return [start, behind] + around(before, end)
        case (false, true): return around(start, before) + [behind, end]
        }
    }

    /// Returns the points of a way outside the room.
    private func around(_ start: PlanPoint, _ end: PlanPoint) -> [PlanPoint] {
        let bounds = plan.rooms[0].polygon.bounds!
        let (low, high) = (bounds.least, bounds.greatest)
        let corners = [
            PlanPoint(x: low.x - 0.6, y: low.y - 0.6), PlanPoint(x: high.x + 0.6, y: low.y - 0.6),
            PlanPoint(x: high.x + 0.6, y: high.y + 0.6), PlanPoint(x: low.x - 0.6, y: high.y + 0.6),
        ]
        func isFree(_ from: PlanPoint, _ to: PlanPoint) -> Bool {
            plan.rooms[0].polygon.edges.allSatisfy { PlanSegment(from, to).crossing(with: $0) == nil }
        }
        if isFree(start, end) { return [start, end] }
        var best: [PlanPoint] = []
        var shortest = Double.infinity
        for first in 0..<4 where isFree(start, corners[first]) {
            for turn in [1, 3] {
                var points = [start]
                var index = first
                for _ in 0..<4 {
                    points.append(corners[index])
                    if isFree(corners[index], end) {
                        points.append(end)
                        let length = zip(points, points.dropFirst()).reduce(0) { $0 + $1.0.distance(to: $1.1) }
                        if length < shortest { (best, shortest) = (points, length) }
                        break
                    }
                    index = (index + turn) % 4
                }
            }
        }
        return best.isEmpty ? [start, end] : best
    }

    /// What stays the same of somebody with a badge.
    struct Wearer {
        /// Received power at one metre in dBm.
        var power: Double
        /// Attenuation of the body in dB, between the front and the back.
        var body: Double
        /// Share of packets that a receiver misses.
        var loss: Double
        /// Packets in a second.
        var rate: Int
    }

    /// Returns what is heard in each second of a walk, with the room at the middle of it.
    func hear(
        _ walk: [(point: PlanPoint, heading: Double)], _ wearer: Wearer, _ random: inout SeededGenerator
    ) -> [(room: Int?, signals: [HeardSignal])] {
        (0..<walk.count / 10).map { second in
            var sums = Array(repeating: (sum: 0.0, count: 0), count: receivers.count)
            for packet in 0..<wearer.rate {
                let moment = (Double(packet) + .random(in: 0..<1, using: &random)) / Double(wearer.rate) * 10
                let (point, heading) = walk[10 * second + Int(moment)]
                for index in receivers.indices where Double.random(in: 0..<1, using: &random) >= wearer.loss {
                    let level = level(point, heading, index, wearer) + Self.fading(&random)
                    if level > -95 { sums[index] = (sums[index].sum + level.rounded(), sums[index].count + 1) }
                }
            }
            let signals = sums.enumerated().filter { $1.count > 0 }.map {
                HeardSignal(receiver: $0, rssi: $1.sum / Double($1.count), count: $1.count)
            }
            return (room(walk[10 * second + 5].point), signals)
        }
    }

    private func level(_ point: PlanPoint, _ heading: Double, _ index: Int, _ wearer: Wearer) -> Double {
        let receiver = receivers[index]
        let rise = receiver.height - 1.1
        let flat = receiver.position.distance(to: point)
        let distance = max(0.4, (flat * flat + rise * rise).squareRoot())
        let path = PlanSegment(point, receiver.position)
        var level = wearer.power + offsets[index] - 10 * exponents[index] * SimulatedBuilding.log10(distance)
        for edge in plan.rooms[0].polygon.edges {
            guard let share = path.crossing(with: edge) else { continue }
            if path.point(at: share).distance(to: door) > doorWidth / 2 { level -= wall }
        }
        let direction = SimulatedBuilding.angle(receiver.position.x - point.x, receiver.position.y - point.y)
        level += wearer.body / 2 * SimulatedBuilding.cosine(direction - heading)
        return level + shadows[index].level(point)
    }

    /// Returns the fading of a packet in dB: a steady wave and scattered ones of a third of its power.
    private static func fading(_ random: inout SeededGenerator) -> Double {
        let scattered = (1.0 / 8).squareRoot()
        let (x, y) = (
            0.75.squareRoot() + SimulatedBuilding.normal(scattered, &random),
            SimulatedBuilding.normal(scattered, &random)
        )
        return 10 * SimulatedBuilding.log10(max(1e-4, x * x + y * y))
    }

    /// Returns a second in which all receivers listened.
    func window(_ signals: [HeardSignal], end: Double) -> HeardWindow {
        let heard = Set(signals.map(\.receiver))
        return HeardWindow(end: end, signals: signals, silent: receivers.indices.filter { !heard.contains($0) })
    }
}
