import FloorPlans
import Localisation

extension Building {
    /// The floors as an operator would draw them. Corridors are the floor between rooms.
    var floorPlans: [FloorPlan] {
        (0..<floors).map { floor in
            let own = rooms.filter { $0.floor == floor }
            let low = own.map(\.y.lowerBound).min() ?? 0
            let high = own.map(\.y.upperBound).max() ?? 1
            var plan = FloorPlan(
                site: "campus", building: "main", floor: "\(floor)", elevation: Double(floor) * self.plan.floorHeight,
                height: self.plan.floorHeight,
                outline: Self.rectangle(0...self.plan.length, low...high))
            for room in own where room.kind != .corridor {
                plan.rooms.append(
                    FloorPlan.Room(name: "\(floor)-\(plan.rooms.count)", polygon: Self.rectangle(room.x, room.y)))
                let edge = isNorth(room) ? room.y.lowerBound : room.y.upperBound
                plan.doors.append(FloorPlan.Door(position: PlanPoint(x: room.middle.x, y: edge)))
            }
            plan.passages = [
                FloorPlan.Passage(
                    kind: .stairs, name: "stairs", position: PlanPoint(x: self.plan.length, y: corridorMiddle))
            ]
            return plan
        }
    }

    /// Index of each room in the plan of its floor; `nil` for corridors.
    var planRooms: [Int?] {
        var counts: [Int: Int] = [:]
        return rooms.map { room in
            guard room.kind != .corridor else { return nil }
            defer { counts[room.floor, default: 0] += 1 }
            return counts[room.floor, default: 0]
        }
    }

    /// Receivers where they hang.
    var receiverSites: [ReceiverSite] {
        gateways.enumerated().map { index, gateway in
            ReceiverSite(
                path: "campus/main/\(gateway.floor)/\(index)", floor: gateway.floor,
                position: PlanPoint(x: gateway.x, y: gateway.y), height: height + Self.badgeHeight)
        }
    }

    private static func rectangle(_ x: ClosedRange<Double>, _ y: ClosedRange<Double>) -> PlanPolygon {
        PlanPolygon([
            PlanPoint(x: x.lowerBound, y: y.lowerBound), PlanPoint(x: x.upperBound, y: y.lowerBound),
            PlanPoint(x: x.upperBound, y: y.upperBound), PlanPoint(x: x.lowerBound, y: y.upperBound),
        ])
    }

    /// What receivers hear of somebody with a badge of their own who stands for half a minute at spots of each room, and turns
    /// meanwhile.
    func survey(_ radio: RadioConstants, spots: Int, people: Int, loss: Double, seed: UInt64) -> [SurveyReading] {
        var random = SplitMix(seed: seed, .survey)
        let badge = BadgeTraits(radio, seed: seed, person: people)
        let traits = gateways.map { RoomTraits(self, $0, radio, seed: seed) }
        var links = gateways.map { _ in RadioLink(seed: random.next()) }
        var readings: [SurveyReading] = []
        var time = 0.0
        for (index, room) in rooms.enumerated() {
            for _ in 0..<spots {
                let x = random.number(in: (room.x.lowerBound + 0.5)...(room.x.upperBound - 0.5))
                let y = random.number(in: (room.y.lowerBound + 0.5)...(room.y.upperBound - 0.5))
                for second in 0..<30 {
                    time += 1
                    let position = Walks.Position(
                        x: Float(x), y: Float(y), facing: Float(second) * 0.21, room: Int32(index))
                    for gateway in gateways.indices {
                        guard
                            let strength = links[gateway].rssi(
                                position, floor: room.floor, at: time, channel: second % 3, badge, traits[gateway]),
                            random.unit() >= loss
                        else { continue }
                        readings.append(
                            SurveyReading(
                                badge: "survey", floor: room.floor, position: PlanPoint(x: x, y: y),
                                receiver: gateway, rssi: Double(strength), time: time))
                    }
                }
                time += 60
            }
        }
        return readings
    }

    /// What receivers hear of modules that hang where gateways do: means of half an hour, as gateways' minutes tell them.
    ///
    /// - Parameter apart: seconds between two advertisements that are compared. Shadows in the air of the simulation
    ///   change within minutes, which a real building's need not do: with 0.1 s all of a link have the same shadow.
    func moduleLevels(
        _ radio: RadioConstants, people: Int, loss: Double, apart: Double, seed: UInt64
    ) -> [MutualLevel] {
        var random = SplitMix(seed: seed, .modules)
        let traits = gateways.map { RoomTraits(self, $0, radio, seed: seed) }
        let sites = receiverSites
        var levels: [MutualLevel] = []
        for (module, site) in gateways.enumerated() {
            var badge = BadgeTraits(radio, seed: seed, person: people + 1 + module)
            badge.body = 0
            let position = Walks.Position(x: Float(site.x), y: Float(site.y), facing: 0, room: Int32(site.room))
            for gateway in gateways.indices where gateway != module {
                var link = RadioLink(seed: random.next())
                var minutes: [Double] = []
                for minute in 0..<Self.moduleMinutes {
                    var (sum, count) = (0.0, 0)
                    for step in 0..<Self.packetsOfMinute {
                        let time = Double(minute * Self.packetsOfMinute + step) * apart
                        guard
                            let strength = link.rssi(
                                position, floor: site.floor, at: time, channel: step % 3, badge, traits[gateway]),
                            random.unit() >= loss
                        else { continue }
                        sum += Double(strength)
                        count += 1
                    }
                    if count > 0 { minutes.append(sum / Double(count)) }
                }
                guard !minutes.isEmpty else { continue }
                levels.append(
                    MutualLevel(
                        beacon: sites[module].path, receiver: sites[gateway].path,
                        rssi: minutes.reduce(0, +) / Double(minutes.count), minutes: minutes.count))
            }
        }
        return levels
    }

    private static let moduleMinutes = 30
    private static let packetsOfMinute = 20
}
