import BeaconModel
import FloorPlans
import GatewayCore
import Proximity
import Publishing
import Testing

@testable import Gateway

@Suite struct DemoFloorTests {
    @Test("The plan of the demonstration has no problem, and each gateway hangs in the room that it names")
    func plan() throws {
        let plans = try FloorPlanFile.parse(DemoFloor.plan, path: "plan.toml")
        let receivers = try DemoFloor.rooms.map { room in
            let text = DemoFloor.configuration(of: room, prefix: "demo", brokerPort: 1883, directory: "/var/empty")
            let place = try Configuration.parse(text, path: "") { _ in [] }.place
            let path = [place.site, place.building, place.floor, place.gateway].joined(separator: "/")
            return PlanReceiver(path: path, position: place.position, room: place.room)
        }
        #expect(FloorPlanCheck.problems(of: plans, receivers: receivers) == [])
        #expect(plans.map(\.path) == ["demo/main/1"])
        #expect(plans.first?.rooms.count == 6)
    }

    @Test("A gateway publishes signals, and has a state directory of its own")
    func configurations() throws {
        let configurations = try DemoFloor.rooms.map { room in
            let text = DemoFloor.configuration(
                of: room, prefix: "demo", brokerPort: 1883, directory: "/var/empty/\(room.gateway)")
            return try Configuration.parse(text, path: "") { _ in [] }
        }
        let haveSignals = configurations.allSatisfy { $0.rules.hasSignals }
        #expect(haveSignals)
        #expect(Set(configurations.map(\.stateDirectory)).count == 6)
        #expect(Set(configurations.map(\.broker.clientID)).count == 6)
    }

    @Test("A wall on the way takes 4 dB, and a door 1 dB")
    func walls() {
        let desk = DemoFloor.Point(2, 7.5)
        #expect(DemoFloor.attenuation(from: desk, to: DemoFloor.library.receiver) == 0)
        #expect(DemoFloor.attenuation(from: desk, to: DemoFloor.seminar.receiver) == 4)
        #expect(DemoFloor.attenuation(from: desk, to: DemoFloor.studio.receiver) == 8)
        let before = DemoFloor.Point(3, 5)
        #expect(DemoFloor.attenuation(from: before, to: DemoFloor.Point(3, 6)) == 1)
        #expect(DemoFloor.attenuation(from: before, to: DemoFloor.Point(1, 6)) == 4)
    }

    @Test("In each room that has seats the room's own gateway hears badges best")
    func nearest() {
        for person in DemoPerson.all() {
            for minute in 0..<60 {
                guard let point = person.position(at: Double(minute) * 60 - 3600),
                    let room = DemoFloor.rooms.first(where: { $0.contains(point) }), room.name != "Corridor"
                else { continue }
                let losses = DemoFloor.rooms.map { other in
                    let distance = DemoFloor.distance(from: point, to: other)
                    return (other.name, distance, DemoFloor.attenuation(from: point, to: other.receiver))
                }
                // Each wall counts as much as 1.58 times the distance: 4 dB at 20 dB for each tenfold.
                let best = losses.min { $0.1 * Self.factor($0.2) < $1.1 * Self.factor($1.2) }
                #expect(best?.0 == room.name, "badge \(person.number) in minute \(minute)")
            }
        }
    }

    /// Returns by how much a distance counts as longer because of an attenuation in dB.
    private static func factor(_ attenuation: Double) -> Double {
        (0..<Int(attenuation)).reduce(1) { product, _ in product * 1.122 }
    }
}
