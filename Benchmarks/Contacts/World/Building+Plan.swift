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

    /// What receivers hear of somebody with a badge of their own who stands for half a minute at four spots of each room, and
    /// turns meanwhile.
    func survey(_ radio: RadioConstants, people: Int, loss: Double, seed: UInt64) -> [SurveyReading] {
        var random = SplitMix(seed: seed, .survey)
        let badge = BadgeTraits(radio, seed: seed, person: people)
        let traits = gateways.map { RoomTraits(self, $0, radio, seed: seed) }
        var links = gateways.map { _ in RadioLink(seed: random.next()) }
        var readings: [SurveyReading] = []
        var time = 0.0
        for (index, room) in rooms.enumerated() where room.kind != .corridor {
            for _ in 0..<4 {
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
}
