import BeaconModel
import Evidence
import FloorPlans
import Localisation
import MatcherCore
import Matching
import RealModule

/// Two floors of three rooms with a receiver each, and gateways that say what they hear of badges in them.
struct LiveHall {
    static let start = 1_800_000_000.0
    var floors: LiveFloors
    var now = start
    private var numbers: [String: UInt64] = [:]
    /// Everything that was told.
    var changes: [LiveChange] = []
    /// Seconds by which a gateway's clock is ahead.
    var clocks: [String: Int64] = [:]
    var positions: [String: Place.Position] = [:]
    /// Whether models that are ordered are built.
    var isBuilding = true
    /// The latest order.
    var order: ModelOrder? { changes.compactMap { if case .order(let order) = $0 { order } else { nil } }.last }

    static func plan(_ floor: Int) -> FloorPlan {
        func rectangle(_ x: Double, _ width: Double) -> PlanPolygon {
            PlanPolygon([
                PlanPoint(x: x, y: 0), PlanPoint(x: x + width, y: 0), PlanPoint(x: x + width, y: 10),
                PlanPoint(x: x, y: 10),
            ])
        }
        return FloorPlan(
            site: "campus", building: "hb", floor: "\(floor)", elevation: Double(floor) * 3.5,
            outline: rectangle(0, 60),
            rooms: (0..<3).map { .init(name: "HB \(floor).\($0)", polygon: rectangle(Double($0) * 20, 20)) },
            doors: [.init(position: PlanPoint(x: 20, y: 5)), .init(position: PlanPoint(x: 40, y: 5))],
            passages: [.init(kind: .stairs, name: "north", position: PlanPoint(x: 1, y: 1))])
    }

    init(limits: LiveLimits = LiveLimits(), policy: LivePolicy = LivePolicy(kinds: ["badge"])) {
        floors = LiveFloors(plans: [Self.plan(1), Self.plan(2)], policy: policy, limits: limits)
        for floor in 1...2 {
            for room in 0..<3 {
                positions["campus/hb/\(floor)/g\(room)"] = .init(x: Double(room) * 20 + 10, y: 5, z: 2)
            }
        }
    }

    static func badge(_ number: Int) -> SubjectIdentity {
        SubjectIdentity("badge:e2c56db5-dffb-48d2-b060-d0f5a71096e0/\(1 + number / 65_536)/\(number % 65_536)")!
    }

    /// RSSI of a badge at a point of a floor, at a receiver.
    func rssi(at x: Double, floor: Int, _ gateway: String) -> Double {
        guard let position = positions[gateway] else { return -100 }
        let distance = max(0.5, abs(position.x - x))
        let walls = (abs(position.x - x) / 20).rounded(.down) * 4.5
        let ceiling = gateway.hasPrefix("campus/hb/\(floor)/") ? 0 : 14.0
        return -59 - 17 * .log10(distance) - walls - ceiling
    }

    func message(
        _ gateway: String, _ heard: [(SubjectIdentity, Double)], number: UInt64, receiver: String? = nil,
        listened: Double = 1
    ) -> SignalsRecord {
        let levels = gateway.split(separator: "/").map(String.init)
        return SignalsRecord(
            gateway: gateway, receiver: receiver ?? gateway,
            place: PlaceName(
                key: gateway, site: levels[0], building: levels[1], floor: levels[2], gateway: receiver ?? gateway),
            position: positions[gateway], boot: 1, number: number,
            second: Int64(now) - 1 + (clocks[gateway] ?? 0), listened: listened, clockIsSynchronized: true,
            subjects: heard.map { .init(identity: $0.0, count: 3, rssi: $0.1) })
    }

    /// Lets a gateway speak.
    mutating func say(
        _ gateway: String, _ heard: [(SubjectIdentity, Double)], delay: Double = 0.3, receiver: String? = nil,
        listened: Double = 1
    ) {
        numbers[gateway, default: 0] += 1
        let message = message(
            gateway, heard, number: numbers[gateway] ?? 0, receiver: receiver, listened: listened)
        take(floors.handle(message, arrivedAt: now + delay))
    }

    mutating func take(_ new: [LiveChange]) {
        changes += new
        for case .order(let order) in new where isBuilding { floors.install(order.build(), for: order, now: now) }
    }

    /// Lets a second pass, in which badges are at points of floors.
    mutating func second(_ badges: [SubjectIdentity: (x: Double, floor: Int)], silent: Set<String> = []) {
        now += 1
        take(floors.tick(now))
        for gateway in positions.keys.sorted() where !silent.contains(gateway) {
            say(
                gateway,
                badges.sorted { $0.key < $1.key }.map { ($0.key, rssi(at: $0.value.x, floor: $0.value.floor, gateway)) }
                    .filter { $0.1 > -95 })
        }
        take(floors.advance(now + 0.5))
    }

    mutating func seconds(
        _ count: Int, _ badges: [SubjectIdentity: (x: Double, floor: Int)], silent: Set<String> = []
    ) {
        for _ in 0..<count { second(badges, silent: silent) }
    }

    func place(_ badge: SubjectIdentity) -> LivePosition.Place? { floors.position(of: badge)?.place }

    func presence(on floor: String) -> FloorPresence? {
        floors.presences(kinds: ["badge"], now: now).first { $0.plan.path == floor }?.presence
    }

    var warnings: [LiveWarning] {
        changes.compactMap { if case .warning(let warning) = $0 { warning } else { nil } }
    }

    var orders: Int { changes.count { if case .order = $0 { true } else { false } } }
}
